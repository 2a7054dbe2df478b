//===- ParsePtxTest.cpp - Text to PTX and back ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadPtx/ParsePtx.h"
#include "gpuocc/ReadPtx/LiftPtx.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

/// A kernel with what compilers write: a vector, a guard, a block of its own,
/// a table of targets, a call, lines with their inlining.
constexpr StringLiteral Everything = R"ptx(.version 8.7
.target sm_90a, debug
.address_size 64
.extern .shared .align 16 .b8 smem[];
.visible .const .align 4 .b8 table[8] = {1, 2, 3, 4, 0, 0, 0, 0};
.func (.param .b32 r) twice(.param .b32 a)
{
	.reg .b32 	%r<3>;
	ld.param.b32 	%r1, [a];
	add.s32 	%r2, %r1, %r1;
	st.param.b32 	[r], %r2;
	ret;
}
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .align 8 .b8 k_param_1[24]
)
.reqntid 128, 1, 1
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<20>;
	.reg .f32 	%f<4>;
	.reg .b64 	%rd<4>;
	.loc	1 5 3
	ld.param.b64 	%rd1, [k_param_0];
	ld.param.b32 	%r9, [k_param_1+8];
	mov.u32 	%r1, %tid.x;
	setp.lt.s32 	%p1|%p2, %r1, -7;
	.loc	1 9 4 // b.py:9:4 @[ a.py:20:29 ]
	@!%p1 ld.global.v4.b32 	{%r2, %r3, %r4, %r5}, [%rd1+16];
	fma.rn.f32 	%f1, 0f3F800000, %f2, 0f40000000;
	.loc	1 7 1, function_name $L__name, inlined_at 1 5 3
	{
	.reg .pred 	%q;
	setp.ne.b32 	%q, %r1, 0;
	@%q bra 	inner;
	add.s32 	%r1, %r1, 1;
inner:
	}
	{
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 	[param0], %r1;
	call.uni 	(retval0), twice, (param0);
	ld.param.b32 	%r6, [retval0];
	}
	mov.b32 	%r7, smem;
	st.shared.b32 	[%r7+4], %r6;
	bar.sync 	0;
ts: .branchtargets A, B;
	brx.idx 	%r1, ts;
A:
	.pragma "nounroll";
	@%p2 bra 	A;
B:
	ret;
}
.file	1 "a.py"
.section	.debug_str
{
$L__name:
.b8 102, 0
}
)ptx";

std::string problemOf(StringRef Text) {
  Expected<PtxModule> M = parsePtx(Text, "f.ptx");
  return M ? "" : toString(M.takeError());
}

std::string printed(const PtxModule &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  printPtx(M, OS);
  return Text;
}

/// The lines of the stores of a kernel with the body \p Body.
std::vector<unsigned> linesOfStores(StringRef Body) {
  const std::string Text = (R"ptx(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .loc 1 3 0
  ld.param.u64 %rd1, [p];
)ptx" + Body + R"ptx(
  ret;
}
.file 1 "a.cu"
.file 2 "b.h"
)ptx")
                               .str();
  Expected<PtxModule> M = parsePtx(Text, "a.ptx");
  EXPECT_TRUE(bool(M)) << toString(M.takeError());
  LLVMContext Context;
  auto Lifted = liftPtx(*M, Context);
  EXPECT_TRUE(bool(Lifted)) << toString(Lifted.takeError());
  std::vector<unsigned> Lines;
  for (Function &F : **Lifted)
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (isa<StoreInst>(I))
          Lines.push_back(I.getDebugLoc() ? I.getDebugLoc().getLine() : 0);
  return Lines;
}

TEST(LiftPtx, LineZeroIsTheNearestLineOfItsFile) {
  // As nvcc writes copies of structures.
  EXPECT_EQ(linesOfStores(R"(.loc 1 6 3
  st.global.u32 [%rd1], 1;
  .loc 1 0 3
  st.global.u32 [%rd1], 2;
  .loc 1 8 3
  st.global.u32 [%rd1], 3;)"),
            (std::vector<unsigned>{6, 6, 8}));
  EXPECT_EQ(linesOfStores(R"(.loc 1 6 3
  st.global.u32 [%rd1], 1;
  .loc 2 9 3
  st.global.u32 [%rd1], 2;
  .loc 1 0 3
  st.global.u32 [%rd1], 3;)"),
            (std::vector<unsigned>{6, 9, 6}));
  EXPECT_EQ(linesOfStores(R"(.loc 2 0 3
  st.global.u32 [%rd1], 1;
  .loc 2 7 3
  st.global.u32 [%rd1], 2;)"),
            (std::vector<unsigned>{7, 7}));
}

} // namespace

TEST(ParsePtx, KnowsWhatCompilersWrite) {
  Expected<PtxModule> M = parsePtx(Everything, "f.ptx");
  ASSERT_TRUE(bool(M)) << toString(M.takeError());
  EXPECT_EQ(M->Architecture, "sm_90a");
  ASSERT_EQ(M->Functions.size(), 2u);
  const PtxFunction &K = M->Functions[1];
  EXPECT_TRUE(K.IsKernel);
  EXPECT_TRUE(K.Parameters[0].IsPointer);
  EXPECT_EQ(K.Parameters[0].PointeeAlignBytes, 16u);
  EXPECT_EQ(K.Parameters[1].sizeBytes(), 24u);
  ASSERT_EQ(K.Lines.size(), 3u);
  EXPECT_EQ(K.Lines[1].Comment, "b.py:9:4 @[ a.py:20:29 ]");
  EXPECT_EQ(K.Lines[2].Function, "$L__name");
  EXPECT_EQ(K.Lines[2].InlinedAt->Line, 5u);
  const auto Load = find_if(K.Body, [](const PtxStatement &S) {
    return S.Text == "ld.global.v4.b32";
  });
  ASSERT_NE(Load, K.Body.end());
  EXPECT_EQ(Load->Guard, "%p1");
  EXPECT_TRUE(Load->GuardNegated);
  EXPECT_EQ(Load->Operands[0].Elements.size(), 4u);
  EXPECT_EQ(Load->Operands[1].Number, 16);
}

TEST(ParsePtx, PrintsWhatItReads) {
  Expected<PtxModule> M = parsePtx(Everything, "f.ptx");
  ASSERT_TRUE(bool(M));
  const std::string Once = printed(*M);
  Expected<PtxModule> Again = parsePtx(Once, "f.ptx");
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(printed(*Again), Once);
}

TEST(ParsePtx, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(problemOf(""), "f.ptx:1:1: error: expected '.version', with which "
                           "PTX begins, found the end of the file");
  EXPECT_EQ(problemOf(".version 8.0\n.target sm_90\n.entry k()\n{\n\tret\n}\n"),
            "f.ptx:6:1: error: expected an operand, found '}'");
  EXPECT_THAT(problemOf("\x7f"
                        "ELF"),
              HasSubstr("f.ptx:1:1: error"));
  EXPECT_THAT(problemOf(".version 8.0\n.target sm_90\n.reg .b32 x;"),
              HasSubstr("f.ptx:3:"));
  std::string Deep = ".version 8.0\n.target sm_90\n.entry k(){ mov.b32 ";
  Deep.append(100000, '{');
  EXPECT_THAT(problemOf(Deep), HasSubstr("fewer nested operands"));
}

TEST(ParsePtx, SurvivesEveryPrefixAndWrongByte) {
  LLVMContext Context;
  for (size_t I = 0; I != Everything.size(); ++I) {
    problemOf(Everything.take_front(I));
    std::string Wrong = Everything.str();
    for (char C : {'\0', '}', '{', ';', '%', '9', '"', '\xff'}) {
      Wrong[I] = C;
      if (Expected<PtxModule> M = parsePtx(Wrong, "f.ptx"))
        consumeError(liftPtx(*M, Context).takeError());
      else
        consumeError(M.takeError());
    }
  }
}

TEST(LiftPtx, LiftsWhatCompilersWrite) {
  Expected<PtxModule> M = parsePtx(Everything, "f.ptx");
  ASSERT_TRUE(bool(M));
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> Lifted = liftPtx(*M, Context);
  ASSERT_TRUE(bool(Lifted)) << toString(Lifted.takeError());
  std::string Text;
  raw_string_ostream OS(Text);
  (*Lifted)->print(OS, nullptr);
  EXPECT_THAT(Text, HasSubstr("load <4 x i32>, ptr addrspace(1)"));
  EXPECT_THAT(Text, HasSubstr("call float @llvm.fma.f32"));
  EXPECT_THAT(Text, HasSubstr("switch i32"));
  EXPECT_THAT(Text, HasSubstr("llvm.loop.unroll.disable"));
  EXPECT_THAT(Text, HasSubstr("\"nvvm.reqntid\"=\"128,1,1\""));
  EXPECT_THAT(Text, HasSubstr("DILocation(line: 20, column: 29"));
  EXPECT_THAT(Text, HasSubstr("distinct !DISubprogram(name: \"f\""));
}

TEST(LiftPtx, ConvertsToShortNumbers) {
  constexpr StringLiteral Text =
      ".version 8.0\n.target sm_90\n.entry k(.param .f32 a)\n{\n"
      "  .reg .b16 %h;\n  .reg .f32 %f;\n  ld.param.f32 %f, [a];\n"
      "  cvt.rzi.u16.f32 %h, %f;\n  ret;\n}\n";
  Expected<PtxModule> M = parsePtx(Text, "f.ptx");
  ASSERT_TRUE(bool(M));
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> Lifted = liftPtx(*M, Context);
  ASSERT_TRUE(bool(Lifted));
  std::string Printed;
  raw_string_ostream OS(Printed);
  (*Lifted)->print(OS, nullptr);
  EXPECT_THAT(Printed, HasSubstr("fptoui float %0 to i16"));
}

TEST(LiftPtx, NamesWhatIsNotDeclared) {
  constexpr StringLiteral Text =
      ".version 8.0\n.target sm_90\n.entry k()\n{\n  add.s32 %r1, %r2, 1;\n}\n";
  Expected<PtxModule> M = parsePtx(Text, "f.ptx");
  ASSERT_TRUE(bool(M));
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> Lifted = liftPtx(*M, Context);
  ASSERT_FALSE(bool(Lifted));
  EXPECT_EQ(toString(Lifted.takeError()),
            "f.ptx:5:3: error: register '%r2' is not declared");
}
