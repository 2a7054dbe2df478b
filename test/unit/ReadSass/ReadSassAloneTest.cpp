//===- ReadSassAloneTest.cpp - Tests of machine code without other views --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/ReadSass.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Instructions, one a line, as the disassembler would print them.
std::string listing(StringRef Code) {
  std::string Text = "\t.section\t.text.k,\"ax\",@progbits\n";
  for (StringRef Line : split(Code, '\n')) {
    Line = Line.trim();
    if (Line.ends_with(":") || Line.starts_with("//"))
      Text += (Line + "\n").str();
    else
      Text += ("\t/*0000*/ " + Line + " ; /* 0x0 */\n\t/* 0x0 */\n").str();
  }
  return Text;
}

/// A kernel of (int n, float *a, float *b) for sm_90.
SassKernel kernel() {
  SassKernel K;
  K.Architecture = "sm_90";
  K.Parameters.resize(3);
  for (auto [Index, Size] : {std::pair(0, 4), {1, 8}, {2, 8}}) {
    K.Parameters[Index].OffsetBytes = uint64_t(Index) * 8;
    K.Parameters[Index].SizeBytes = uint64_t(Size);
  }
  return K;
}

KernelFacts factsOf(StringRef Code) {
  std::vector<SassFunction> Functions =
      cantFail(parseDisassembly(listing(Code), "test"));
  KernelFacts Facts = cantFail(readSassAlone(Functions.front(), kernel()));
  cantFail(verifyFacts(Facts));
  return Facts;
}

/// Instructions that cost something.
unsigned numIssued(const KernelFacts &Facts) {
  return unsigned(count_if(
      Facts.Operations, [](const Operation &Op) { return !Op.Emits.empty(); }));
}

bool computes(const KernelFacts &Facts, Semantics What, unsigned Bits) {
  return any_of(Facts.Operations, [&](const Operation &Op) {
    return Op.What == What && Op.Bits == Bits;
  });
}

TEST(ReadSassAlone, JoinsAddressesInHalves) {
  KernelFacts Facts = factsOf(R"(S2R R0, SR_TID.X
    LEA R2, P0, R0, c[0x0][0x220], 0x2
    LEA.HI.X R3, R0, c[0x0][0x224], RZ, 0x2, P0
    LDG.E R4, desc[UR4][R2.64+0x8]
    EXIT)");
  ASSERT_EQ(Facts.Accesses.size(), 1u);
  EXPECT_EQ(arrayOfAccess(Facts, Facts.Accesses[0]), 16u);
  EXPECT_EQ(Facts.Accesses[0].OffsetBytes, 8);
  EXPECT_FALSE(Facts.Parameters[1].IsPointer);
  EXPECT_TRUE(Facts.Parameters[2].IsPointer);
  EXPECT_EQ(numIssued(Facts), 5u);
}

TEST(ReadSassAlone, ReadsKernelsThatBeginWithinALoop) {
  KernelFacts Facts = factsOf(R"(.L_x_0:
    IADD3 R0, R0, R1, RZ
    BRA `(.L_x_1)
    .L_x_2:
    EXIT
    .L_x_1:
    IADD3 R2, R0, R3, RZ
    BRA `(.L_x_0))");
  EXPECT_GE(numIssued(Facts), 2u);
}

TEST(ReadSassAlone, ReadsInstructionsWithoutOperands) {
  for (const char *Opcode :
       {"LEA", "IADD3", "MOV", "LDG.E", "STG.E", "ISETP", "S2R", "IMAD.WIDE",
        "SHFL", "LOP3.LUT", "BRA", "PLOP3.LUT", "ATOMG", "R2UR", "LDC"}) {
    Expected<std::vector<SassFunction>> Functions =
        parseDisassembly(listing(std::string(Opcode) + "\nEXIT"), "test");
    ASSERT_TRUE(bool(Functions)) << toString(Functions.takeError());
    Expected<KernelFacts> Facts = readSassAlone(Functions->front(), kernel());
    if (Facts)
      cantFail(verifyFacts(*Facts));
    else
      consumeError(Facts.takeError());
  }
}

TEST(ReadSassAlone, JoinsAddressesThatLoopsMove) {
  KernelFacts Facts = factsOf(R"(MOV R2, c[0x0][0x218]
    MOV R3, c[0x0][0x21c]
    CS2R.32 R5, SRZ
    .L_x_0:
    LDG.E R4, desc[UR4][R2.64]
    IADD3 R5, R5, 0x1, RZ
    ISETP.GE.AND P1, PT, R5, c[0x0][0x210], PT
    IADD3 R2, P0, R2, 0x80, RZ
    IADD3.X R3, RZ, R3, RZ, P0, !PT
    @!P1 BRA `(.L_x_0)
    EXIT)");
  ASSERT_EQ(Facts.Loops.size(), 1u);
  EXPECT_EQ(arrayOfAccess(Facts, Facts.Accesses[0]), 8u);
  EXPECT_TRUE(computes(Facts, Semantics::Phi, 64));
  EXPECT_TRUE(computes(Facts, Semantics::Add, 64));
}

TEST(ReadSassAlone, WhatOnlyComputesIsEvaluated) {
  for (StringRef Instruction :
       {"VABSDIFF.U32 R2, R0, 0x7, RZ", "IDP.4A.U8.U8 R2, R0, R0, RZ",
        "IDP.2A.LO.U16.U8 R2, R0, R0, RZ", "MATCH.ANY R2, R0", "FLO R2, R0",
        "FLO.SH R2, R0", "PRMT.F4E R2, R0, 0x1, R0", "BMSK R2, R0, 0x4"}) {
    SCOPED_TRACE(Instruction.str());
    const KernelFacts Facts = factsOf(
        ("S2R R0, SR_TID.X\n" + Instruction + "\nSTS [R2], R0\nEXIT").str());
    EXPECT_EQ(numIssued(Facts), 4u);
    for (const Operation &Op : Facts.Operations)
      EXPECT_FALSE(Op.What == Semantics::Opaque &&
                   Instruction.starts_with(Op.Opcode));
  }
}

/// The value of \p O, which is made of numbers.
uint64_t valueOf(const KernelFacts &Facts, const Operand &O) {
  if (O.isImmediate())
    return uint64_t(O.Imm);
  const Operation *Op = Facts.operationOf(O);
  if (!Op)
    return 0;
  auto Input = [&](unsigned I) { return valueOf(Facts, Op->Operands[I]); };
  switch (Op->What) {
  case Semantics::Copy:
    return Input(0);
  case Semantics::Not:
    return ~Input(0);
  case Semantics::And:
    return Input(0) & Input(1);
  case Semantics::Or:
    return Input(0) | Input(1);
  case Semantics::Xor:
    return Input(0) ^ Input(1);
  default:
    ADD_FAILURE() << Op->Opcode;
    return 0;
  }
}

TEST(ReadSassAlone, LogicOfThreeIsThatOfItsTable) {
  for (unsigned Table = 0; Table != 256; ++Table) {
    char Line[64];
    snprintf(Line, sizeof(Line), "LOP3.LUT R0, R1, R2, R3, 0x%x, !PT", Table);
    KernelFacts Facts = factsOf(
        std::string("MOV R1, 0xf0\nMOV R2, 0xcc\nMOV R3, 0xaa\n") + Line +
        "\nLDC.64 R4, c[0x0][0x218]\nSTG.E desc[UR4][R4.64], R0\nEXIT");
    const Operation &Store = Facts.Operations[Facts.Accesses[0].Op];
    ASSERT_FALSE(Store.Operands.empty());
    EXPECT_EQ(valueOf(Facts, Store.Operands.back()) & 0xff, Table);
  }
}

TEST(ReadSassAlone, NamesInstructionsThatAreNotFollowed) {
  KernelFacts Facts = factsOf(R"(R2P PR, R0, 0x7f
    TEX.SCR R2, R0, 0x0, 0x58, 2D
    STG.E desc[UR4][R2.64], R0
    EXIT)");
  ASSERT_EQ(Facts.Gaps.size(), 1u);
  EXPECT_EQ(Facts.Gaps[0].What, "addresses of 1 memory instruction rest on "
                                "what is not followed: TEX.SCR");
}

TEST(ReadSassAlone, GuardsKeepOldValues) {
  KernelFacts Facts = factsOf(R"(S2R R0, SR_TID.X
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    @P0 IADD3 R0, R0, -0x10, RZ
    IMAD.WIDE R2, R0, 0x4, c[0x0][0x218]
    STG.E desc[UR4][R2.64], R0
    EXIT)");
  EXPECT_TRUE(computes(Facts, Semantics::Select, 32));
  EXPECT_EQ(numIssued(Facts), 6u);
}

TEST(ReadSassAlone, GuardedAccessesHaveTheAddressesOfTheirLanes) {
  KernelFacts Facts = factsOf(R"(S2R R0, SR_TID.X
    LDC.64 R6, c[0x0][0x220]
    LDG.E.64 R2, desc[UR4][R6.64]
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    @!P0 IMAD.WIDE R2, R0, 0x4, c[0x0][0x218]
    @!P0 STG.E desc[UR4][R2.64], R0
    STG.E desc[UR4][R2.64], R0
    EXIT)");
  ASSERT_EQ(Facts.Accesses.size(), 3u);
  EXPECT_EQ(arrayOfAccess(Facts, Facts.Accesses[1]), 8u);
  auto IsSelect = [&](const MemoryAccess &A) {
    const Operation *Op = Facts.operationOf(A.Base);
    while (Op && Op->What == Semantics::Copy)
      Op = Facts.operationOf(Op->Operands[0]);
    return Op && Op->What == Semantics::Select;
  };
  EXPECT_FALSE(IsSelect(Facts.Accesses[1]));
  EXPECT_TRUE(IsSelect(Facts.Accesses[2]));
}

TEST(ReadSassAlone, CountersPassLoopsThatDoNotChangeThem) {
  KernelFacts Facts = factsOf(R"(CS2R.32 R0, SRZ
    .L_x_0:
    ISETP.NE.AND P0, PT, R9, RZ, PT
    @P0 BRA `(.L_x_2)
    .L_x_1:
    LDG.E R1, desc[UR4][R6.64]
    ISETP.NE.AND P0, PT, R1, RZ, PT
    @P0 BRA `(.L_x_1)
    .L_x_2:
    IADD3 R0, R0, 0x40, RZ
    ISETP.GE.AND P1, PT, R0, c[0x0][0x210], PT
    @!P1 BRA `(.L_x_0)
    EXIT)");
  ASSERT_EQ(Facts.Loops.size(), 2u);
  for (const Operation &Op : Facts.Operations)
    if (Op.Opcode == "IADD3") {
      const Operation *Phi = Facts.operationOf(Op.Operands[0]);
      ASSERT_TRUE(Phi && Phi->What == Semantics::Phi);
      EXPECT_EQ(Facts.Loops[0].Header, Phi->Block);
    }
}

TEST(ReadSassAlone, CopiesToSharedMemoryHaveTwoAddresses) {
  KernelFacts Facts = factsOf(R"(S2R R0, SR_TID.X
    IMAD.WIDE R2, R0, 0x4, c[0x0][0x218]
    LEA R5, R0, 0x400, 0x2
    LDGSTS.E [R5+0x20], desc[UR4][R2.64+0x10]
    EXIT)");
  ASSERT_EQ(Facts.Accesses.size(), 1u);
  const MemoryAccess &A = Facts.Accesses[0];
  EXPECT_EQ(A.Kind, AccessKind::AsyncCopy);
  EXPECT_EQ(A.OffsetBytes, 16);
  EXPECT_EQ(A.SharedOffsetBytes, 32);
  EXPECT_TRUE(A.SharedBase.isValue());
  EXPECT_EQ(arrayOfAccess(Facts, A), 8u);
}

TEST(ReadSassAlone, WaysThatKernelsAvoidDoNotRun) {
  KernelFacts Facts = factsOf(R"(FCHK P0, R2, R3
    @!P0 BRA `(.L_x_0)
    CALL.REL.NOINC `($k$__cuda_sm3x_div_rn_noftz_f32_slowpath)
    .L_x_0:
    EXIT
    $k$__cuda_sm3x_div_rn_noftz_f32_slowpath:
    RET.REL.NODEC R4 `(k))");
  ASSERT_EQ(Facts.Branches.size(), 1u);
  const Operation *Condition = Facts.operationOf(Facts.Branches[0].Condition);
  ASSERT_TRUE(Condition);
  EXPECT_EQ(Condition->What, Semantics::Copy);
  EXPECT_EQ(Condition->Operands[0], Operand::immediate(1));
}

TEST(ReadSassAlone, PlacesHaveTheCallsThatTheyAreInlinedAt) {
  KernelFacts Facts = factsOf(
      R"(//## File "/a b/x, line 3.cu", line 2 inlined at "/a b/x.cu", line 7
    //## File "/a b/x.cu", line 7
    FADD R0, R0, R0
    //## File "/a b/x.cu", line 9
    EXIT)");
  ASSERT_EQ(Facts.Locations.size(), 2u);
  ASSERT_EQ(Facts.Locations[0].Places.size(), 2u);
  EXPECT_EQ(Facts.Locations[0].Places[0].File, "/a b/x, line 3.cu");
  EXPECT_EQ(Facts.Locations[0].Places[0].Line, 2u);
  EXPECT_EQ(Facts.Locations[0].Places[1].Line, 7u);
  EXPECT_EQ(Facts.Locations[1].Places.size(), 1u);
}

TEST(ReadSassAlone, StrongLoadsThatL1IsEmptiedBehindAcquire) {
  auto Acquires = [](StringRef Behind) {
    return factsOf(("LDG.E.STRONG.GPU R0, [R2]\n" + Behind + "\nEXIT").str())
        .Accesses[0]
        .Acquires;
  };
  EXPECT_TRUE(Acquires("CCTL.IVALL"));
  EXPECT_FALSE(Acquires("NOP"));
}

TEST(ReadSassAlone, UnknownFunctionsAreGaps) {
  KernelFacts Facts = factsOf("CALL.ABS.NOINC `(elsewhere)\nEXIT");
  ASSERT_EQ(Facts.Gaps.size(), 1u);
  EXPECT_EQ(Facts.Gaps[0].What, "'CALL.ABS.NOINC' calls an unknown function");
}

} // namespace
