//===- MatrixTest.cpp - Products of matrices by a warp --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "llvm/ADT/bit.h"
#include "gmock/gmock.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A small number that depends on \p Row and \p Column.
int numberAt(unsigned Row, unsigned Column) {
  return int((Row * 7 + Column * 3) % 5) - 2;
}

/// "{ T, T, ... }" and "T %x0, T %x1, ..." of \p Count values.
std::string structOf(StringRef T, unsigned Count) {
  std::string Text = "{ ";
  for (unsigned I = 0; I != Count; ++I)
    Text += (I ? ", " : "") + T.str();
  return Text + " }";
}

std::string extracts(StringRef Prefix, StringRef Of, StringRef Type,
                     unsigned Count) {
  std::string Text;
  for (unsigned I = 0; I != Count; ++I)
    Text += ("  %" + Prefix + Twine(I) + " = extractvalue " + Type + " %" + Of +
             ", " + Twine(I) + "\n")
                .str();
  return Text;
}

std::string values(StringRef T, StringRef Prefix, unsigned Count) {
  std::string Text;
  for (unsigned I = 0; I != Count; ++I)
    Text += ((I ? ", " : "") + T + " %" + Prefix + Twine(I)).str();
  return Text;
}

std::string types(StringRef T, unsigned Count) {
  std::string Text;
  for (unsigned I = 0; I != Count; ++I)
    Text += ((I ? ", " : "") + T).str();
  return Text;
}

TEST(Matrix, FragmentsOfBytesAreMultiplied) {
  // A by rows, B by columns, and the sum by columns.
  const std::string Two = structOf("i32", 2), Eight = structOf("i32", 8);
  const std::string Code =
      "declare " + Two +
      " @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.s8.p0(ptr, i32)\n"
      "declare " +
      Two +
      " @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.s8.p0(ptr, i32)\n"
      "declare " +
      Eight +
      " @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32.p0(ptr, i32)\n"
      "declare " +
      Eight + " @llvm.nvvm.wmma.m16n16k16.mma.row.col.s8(" + types("i32", 12) +
      ")\n"
      "declare void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.s32.p0(ptr, " +
      types("i32", 8) +
      ", i32)\n"
      "define ptx_kernel void @k(ptr %a, ptr %b, ptr %c, ptr %d) {\n"
      "  %fa = call " +
      Two +
      " @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.s8.p0(ptr %a, i32 20)\n"
      "  %fb = call " +
      Two +
      " @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.s8.p0(ptr %b, i32 16)\n"
      "  %fc = call " +
      Eight +
      " @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32.p0(ptr %c, i32 16)\n" +
      extracts("a", "fa", Two, 2) + extracts("b", "fb", Two, 2) +
      extracts("c", "fc", Eight, 8) + "  %fd = call " + Eight +
      " @llvm.nvvm.wmma.m16n16k16.mma.row.col.s8(" + values("i32", "a", 2) +
      ", " + values("i32", "b", 2) + ", " + values("i32", "c", 8) + ")\n" +
      extracts("d", "fd", Eight, 8) +
      "  call void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.s32.p0(ptr "
      "%d, " +
      values("i32", "d", 8) + ", i32 24)\n  ret void\n}\n";
  KernelRun K(Code);
  int8_t A[16 * 20], B[16 * 16];
  int C[16 * 16], D[16 * 24] = {};
  for (unsigned Row = 0; Row != 16; ++Row)
    for (unsigned Column = 0; Column != 16; ++Column) {
      A[Row * 20 + Column] = int8_t(numberAt(Row, Column));
      B[Column * 16 + Row] = int8_t(numberAt(Row + 3, Column));
      C[Row * 16 + Column] = int(Row * 100 + Column);
    }
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &A[0], &B[0], &C[0], &D[0]),
            "");
  for (unsigned Row = 0; Row != 16; ++Row)
    for (unsigned Column = 0; Column != 16; ++Column) {
      int Sum = int(Row * 100 + Column);
      for (unsigned I = 0; I != 16; ++I)
        Sum += numberAt(Row, I) * numberAt(I + 3, Column);
      EXPECT_EQ(D[Column * 24 + Row], Sum) << Row << ' ' << Column;
    }
}

/// The product of inline assembly, each lane with one word of A, of B and of
/// the sum (two).
std::string smallProduct(StringRef Shape) {
  return ("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "define ptx_kernel void @k(ptr %a, ptr %b, ptr %d) {\n"
          "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %pa = getelementptr i32, ptr %a, i32 %t\n"
          "  %pb = getelementptr i32, ptr %b, i32 %t\n"
          "  %va = load i32, ptr %pa\n"
          "  %vb = load i32, ptr %pb\n"
          "  %r = call { i32, i32 } asm \"mma.sync.aligned." +
          Shape +
          " {$0,$1}, {$2}, {$3}, {$4,$5};\", \"=r,=r,r,r,r,r\"(i32 %va, i32 "
          "%vb, i32 100, i32 200)\n"
          "  %r0 = extractvalue { i32, i32 } %r, 0\n"
          "  %r1 = extractvalue { i32, i32 } %r, 1\n"
          "  %two = mul i32 %t, 2\n"
          "  %pd = getelementptr i32, ptr %d, i32 %two\n"
          "  %pe = getelementptr i32, ptr %pd, i32 1\n"
          "  store i32 %r0, ptr %pd\n"
          "  store i32 %r1, ptr %pe\n"
          "  ret void\n}\n")
      .str();
}

TEST(Matrix, HalvesOfBytesHaveASign) {
  KernelRun K(smallProduct("m8n8k32.row.col.s32.s4.u4.s32"));
  uint32_t A[32] = {}, B[32] = {};
  int D[64] = {};
  auto Of = [](unsigned Row, unsigned K) { return int((Row + K) % 16) - 8; };
  auto OfB = [](unsigned K, unsigned Column) { return (K * 3 + Column) % 16; };
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned J = 0; J != 8; ++J) {
      const unsigned Along = Lane % 4 * 8 + J;
      A[Lane] |= uint32_t(Of(Lane / 4, Along) & 15) << (4 * J);
      B[Lane] |= uint32_t(OfB(Along, Lane / 4)) << (4 * J);
    }
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &A[0], &B[0], &D[0]), "");
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 2; ++I) {
      int Sum = I ? 200 : 100;
      for (unsigned Along = 0; Along != 32; ++Along)
        Sum += Of(Lane / 4, Along) * int(OfB(Along, Lane % 4 * 2 + I));
      EXPECT_EQ(D[Lane * 2 + I], Sum) << Lane;
    }
}

TEST(Matrix, BitsThatDifferAreCounted) {
  KernelRun K(smallProduct("m8n8k128.row.col.s32.b1.b1.s32.xor.popc"));
  uint32_t A[32], B[32];
  int D[64] = {};
  for (unsigned Lane = 0; Lane != 32; ++Lane) {
    A[Lane] = Lane * 0x9e3779b9;
    B[Lane] = Lane * 0x85ebca6b + 1;
  }
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &A[0], &B[0], &D[0]), "");
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 2; ++I) {
      int Sum = I ? 200 : 100;
      for (unsigned Word = 0; Word != 4; ++Word)
        Sum +=
            popcount(A[Lane / 4 * 4 + Word] ^ B[(Lane % 4 * 2 + I) * 4 + Word]);
      EXPECT_EQ(D[Lane * 2 + I], Sum) << Lane;
    }
}

TEST(Matrix, ProductsOfSparseMatricesAreNamed) {
  EXPECT_THAT(KernelRun(smallProduct("sp.m8n8k32.row.col.s32.s4.u4.s32"))
                  .launch("k", {1, 1, 1}, {32, 1, 1}),
              testing::HasSubstr("uses the instruction 'mma.sync"));
}

} // namespace
