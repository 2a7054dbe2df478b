//===- AsmStatementTest.cpp - Statements of inline assembly ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmStatement.h"
#include "OpcodeTable.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <string>

using namespace gpuocc;

namespace {

llvm::StringRef mnemonic(llvm::StringRef Statement) {
  return parseAsmStatement(Statement).Mnemonic;
}

TEST(AsmStatement, MnemonicsHaveNoGuardsAndLabels) {
  EXPECT_EQ(mnemonic("add.s32 $0, $1, $2"), "add.s32");
  EXPECT_EQ(mnemonic(" {\n\t@!p bra DONE"), "bra");
  EXPECT_EQ(mnemonic("DONE: mov.u32 $0, 1"), "mov.u32");
  EXPECT_EQ(mnemonic("LAB_WAIT:\n\tmbarrier.try_wait.shared::cta.b64 p, [$0]"),
            "mbarrier.try_wait.shared::cta.b64");
  EXPECT_EQ(mnemonic("L${:uid}: mbarrier.try_wait.shared::cta.b64 p, [$0]"),
            "mbarrier.try_wait.shared::cta.b64");
  EXPECT_EQ(mnemonic("@!p bra L${:uid}"), "bra");
  EXPECT_EQ(mnemonic("cp.async.bulk.shared::cluster.global [$0], [$1]"),
            "cp.async.bulk.shared::cluster.global");
  EXPECT_EQ(mnemonic("// note\n\tmul.lo.u32 $0, $1, $2"), "mul.lo.u32");
}

TEST(AsmStatement, DeclarationsHaveNone) {
  EXPECT_EQ(mnemonic("{.reg .pred p"), "");
  EXPECT_EQ(mnemonic("}"), "");
  EXPECT_EQ(mnemonic("@p"), "");
  EXPECT_EQ(mnemonic(""), "");
}

TEST(AsmStatement, PairsOfDifferentHalvesArePacked) {
  EXPECT_TRUE(packsHalves("{ mov.b32 $0, {$1,$2};}"));
  EXPECT_TRUE(packsHalves("\n  mov.b32 $0, {low, high"));
  EXPECT_FALSE(packsHalves("mov.b32 $0, {low,low};}"));
  EXPECT_FALSE(packsHalves("{.reg .f16 low,high"));
  EXPECT_FALSE(packsHalves("mov.b32 {low,high},$1"));
  EXPECT_FALSE(packsHalves("mov.b64 $0, {$1,$2}"));
}

TEST(AsmStatement, GuardAndOperands) {
  AsmStatement S = parseAsmStatement("@!p ld.global.f32\t$0, [$1+4]");
  EXPECT_EQ(S.Guard, "@!p");
  EXPECT_EQ(S.Mnemonic, "ld.global.f32");
  EXPECT_EQ(S.Operands, "$0, [$1+4]");
  EXPECT_TRUE(parseAsmStatement("ret").Operands.empty());
}

TEST(AsmStatement, ReadsOfSpecialRegisters) {
  EXPECT_TRUE(readsSpecialRegister("mov.u32 $0, %clock"));
  EXPECT_TRUE(readsSpecialRegister("mov.u32 $0, %laneid"));
  EXPECT_FALSE(readsSpecialRegister("mov.b32 $0, {%lo, %hi}"));
  EXPECT_EQ(registerOfAsm("mov.u32 $0, %laneid"), SpecialReg::LaneId);
}

std::string emissions(llvm::StringRef Mnemonic) {
  auto Found = emissionsOfMnemonic(Mnemonic);
  if (!Found)
    return "none";
  std::string Text;
  for (const Emission &E : *Found)
    Text += (Text.empty() ? "" : " ") + instClassKey(E.Class).str() + "*" +
            std::to_string(int(E.Count));
  return Text;
}

TEST(PtxMnemonics, TypesDecide) {
  EXPECT_EQ(emissions("add.f32"), "fp32.add*1");
  EXPECT_EQ(emissions("add.u64"), "int.add*2");
  EXPECT_EQ(emissions("addc.u32"), "int.add*1");
  EXPECT_EQ(emissions("setp.gt.f64"), "fp64.setp*1");
  EXPECT_EQ(emissions("setp.ne.and.b32"), "int.setp*1");
  EXPECT_EQ(emissions("setmaxnreg.inc.sync.aligned.u32"), "nop*1");
  EXPECT_EQ(emissions("mov.b64"), "");
  EXPECT_EQ(emissions("frobnicate.u32"), "none");
}

TEST(PtxMnemonics, MatrixProductsByShapeAndType) {
  EXPECT_EQ(emissions("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            "mma.bf16.m16n8k16*1");
  EXPECT_EQ(emissions("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
            "mma.tf32.m16n8k8*1");
  EXPECT_EQ(
      emissions("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32"),
      "mma.tf32.m16n8k4*4");
  EXPECT_EQ(emissions("wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16"),
            "mma.f16acc.m16n8k16*2");
  EXPECT_EQ(emissions("wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32"),
            "mma.s8.m16n8k16*2");
  EXPECT_EQ(emissions("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64"),
            "mma.f64.m8n8k4*1");
}

} // namespace
