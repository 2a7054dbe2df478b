//===- ReadSassTest.cpp - Tests of reading machine code -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/ReadSass.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/ReadSass/ControlCode.h"
#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/SassOpcode.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Instructions, one a line, as the disassembler would print them.
std::string listing(StringRef Code) {
  std::string Text = "\t.section\t.text.k,\"ax\",@progbits\n";
  unsigned Offset = 0;
  SmallVector<StringRef, 32> Lines;
  Code.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Line = Line.trim();
    if (Line.ends_with(":")) {
      Text += (Line + "\n").str();
      continue;
    }
    char Number[16];
    snprintf(Number, sizeof(Number), "%04x", Offset);
    Offset += 16;
    Text += std::string("\t/*") + Number + "*/ " + Line.str() +
            " ; /* 0x0 */\n\t/* 0x000fe20000000800 */\n";
  }
  return Text;
}

KernelFacts factsOf(StringRef Code) {
  std::vector<SassFunction> Functions =
      cantFail(parseDisassembly(listing(Code), "test"));
  KernelFacts Facts = cantFail(readSass(Functions.front()));
  cantFail(verifyFacts(Facts));
  return Facts;
}

const Operation &opOf(const KernelFacts &Facts, StringRef Opcode) {
  for (const Operation &Op : Facts.Operations)
    if (Op.Opcode == Opcode)
      return Op;
  ADD_FAILURE() << "no " << Opcode.str();
  return Facts.Operations.front();
}

std::string parseError(StringRef Text) {
  auto Functions = parseDisassembly(Text, "k.sass");
  return Functions ? "" : toString(Functions.takeError());
}

TEST(ControlCode, FieldsOfARecordedEncoding) {
  // LDC R1, c[0x0][0x28] of the recorded kernel, then one that waits.
  IssueControl Load = decodeControlCode(0x000e220000000800);
  EXPECT_EQ(Load.StallCycles, 1);
  EXPECT_FALSE(Load.Yields);
  EXPECT_EQ(Load.WriteBarrier, 0);
  EXPECT_EQ(Load.ReadBarrier, IssueControl::NoBarrier);
  EXPECT_EQ(Load.WaitMask, 0);
  IssueControl Use = decodeControlCode(0x004fda0003f0e000);
  EXPECT_EQ(Use.StallCycles, 13);
  EXPECT_EQ(Use.WriteBarrier, IssueControl::NoBarrier);
  EXPECT_EQ(Use.WaitMask, 4);
  EXPECT_TRUE(decodeControlCode(0x000fc40000000000).Yields);
}

TEST(SassOpcode, LongestRowWins) {
  EXPECT_EQ(findSassOpcode("IMAD.WIDE.U32")->Class, InstClass::IMadWide);
  EXPECT_EQ(findSassOpcode("IMAD.IADD")->Class, InstClass::IMad);
  EXPECT_EQ(findSassOpcode("HMMA.16816.F32.BF16")->Class,
            InstClass::MmaBf16K16);
  EXPECT_EQ(findSassOpcode("HMMA.16816.F32")->Class, InstClass::MmaF16K16);
  EXPECT_EQ(findSassOpcode("F2F.F32.F64")->ResultRegisters, 1u);
  EXPECT_EQ(findSassOpcode("F2F.F64.F32")->ResultRegisters, 2u);
  EXPECT_EQ(findSassOpcode("NOSUCH.U32"), nullptr);
}

TEST(SassOpcode, OfEachGenerationSinceTuring) {
  EXPECT_EQ(findSassOpcode("ISCADD")->Class, InstClass::Lea);
  EXPECT_EQ(findSassOpcode("REDUX.SUM")->Class, InstClass::Redux);
  EXPECT_EQ(findSassOpcode("VIMNMX3")->Class, InstClass::Vimnmx3);
  EXPECT_EQ(findSassOpcode("QGMMA.64x64x32.F32.E4M3.E4M3")->Class,
            InstClass::WgmmaN64);
  EXPECT_EQ(findSassOpcode("HGMMA.64x256x16.F32")->Class, InstClass::WgmmaN256);
  EXPECT_EQ(findSassOpcode("UTMALDG.2D")->Class, InstClass::Nop);
  EXPECT_EQ(findSassOpcode("LDCU.64")->Class, InstClass::Uldc);
  EXPECT_EQ(findSassOpcode("UIADD3.64")->ResultRegisters, 2u);
  EXPECT_EQ(findSassOpcode("FFMA2")->ResultRegisters, 2u);
  EXPECT_EQ(findSassOpcode("UFSETP.GT.AND")->ResultRegisters, 0u);
}

TEST(SassOpcode, WithoutARowIsNamed) {
  KernelFacts Facts = factsOf(R"(UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8]
    LDCU UR4, c[0x0][0x380]
    UFADD UR5, UR4, UR4
    EXIT)");
  ASSERT_EQ(Facts.Gaps.size(), 1u);
  EXPECT_THAT(Facts.Gaps[0].What, HasSubstr("UTCHMMA"));
  EXPECT_EQ(opOf(Facts, "UTCHMMA").Emits[0].Class, InstClass::Unknown);
  EXPECT_EQ(opOf(Facts, "UFADD").Emits[0].Class, InstClass::UInt);
}

TEST(SassOpcode, WidthOfAccesses) {
  EXPECT_EQ(bytesPerLane("LDG.E"), 4u);
  EXPECT_EQ(bytesPerLane("LDG.E.64.CONSTANT"), 8u);
  EXPECT_EQ(bytesPerLane("STG.E.128"), 16u);
  EXPECT_EQ(bytesPerLane("LDG.E.U8"), 1u);
  EXPECT_EQ(bytesPerLane("LDSM.16.M88.4"), 16u);
}

TEST(Disassembly, RecordedKernel) {
  auto Text = MemoryBuffer::getFile(GPUOCC_SOURCE_DIR
                                    "/test/unit/ReadSass/Inputs/vabs.sass");
  ASSERT_TRUE(bool(Text));
  std::vector<SassFunction> Functions =
      cantFail(parseDisassembly((*Text)->getBuffer(), "vabs.sass"));
  ASSERT_EQ(Functions.size(), 1u);
  const SassFunction &F = Functions.front();
  EXPECT_EQ(F.Name, "_Z4vabsPfi");
  ASSERT_GT(F.Instructions.size(), 17u);
  const SassInstruction &Leave = F.Instructions[7];
  EXPECT_EQ(Leave.Predicate, "P0");
  EXPECT_EQ(Leave.Opcode, "EXIT");
  EXPECT_EQ(Leave.Line, 18u);
  const SassInstruction &Load = F.Instructions[11];
  EXPECT_EQ(Load.Opcode, "LDG.E");
  EXPECT_THAT(Load.Operands, ElementsAre("R0", "desc[UR4][R2.64]"));
  EXPECT_EQ(Load.Control.WriteBarrier, 2);

  KernelFacts Facts = cantFail(readSass(F));
  cantFail(verifyFacts(Facts));
  EXPECT_TRUE(Facts.isInIssueOrder());
  // Two predicated exits, and the padding behind the last is left out.
  EXPECT_EQ(Facts.Branches.size(), 2u);
  ASSERT_EQ(Facts.Accesses.size(), 2u);
  EXPECT_EQ(Facts.Accesses[0].Kind, AccessKind::Load);
  EXPECT_EQ(Facts.Accesses[1].Kind, AccessKind::Store);
  EXPECT_EQ(Facts.Operations[Facts.Accesses[1].Op].Origin, 22u);
  EXPECT_TRUE(Facts.Gaps.empty());
}

TEST(Disassembly, BadInputIsOneClearError) {
  EXPECT_EQ(parseError(""),
            "k.sass:0: no kernel; expected the output of 'nvdisasm -c -g "
            "-hex'");
  EXPECT_THAT(parseError(".section .text.k,\n/*0000*/ EXIT ;\n"),
              HasSubstr("k.sass:2: an instruction without its encoding"));
  EXPECT_THAT(parseError(".section .text.k,\n/*0000*/ EXIT ; /* 0x1 */\n"),
              HasSubstr("the encoding of 'EXIT' is cut off"));
  EXPECT_THAT(parseError(".section .text.k,\n/*0000*/ EXIT ; /* 0x1 */\n"
                         ".section .text.l,\n/* 0x2 */\n"),
              HasSubstr("k.sass:3: the encoding of 'EXIT' is cut off"));
  EXPECT_THAT(parseError(".section .text.k,\n/*00g0*/ EXIT ; /* 0x1 */\n"),
              HasSubstr("without an offset"));
  EXPECT_THAT(parseError("/*0000*/ EXIT ; /* 0x1 */\n"),
              HasSubstr("outside of a code section"));
}

TEST(ReadSass, LoopFromABranchBack) {
  KernelFacts Facts = factsOf(R"(MOV R0, RZ
    .L_x_1:
    IADD3 R0, R0, 0x1, RZ
    ISETP.NE.AND P0, PT, R0, 0x8, PT
    @P0 BRA `(.L_x_1)
    EXIT)");
  ASSERT_EQ(Facts.Loops.size(), 1u);
  EXPECT_THAT(Facts.Loops[0].Blocks, ElementsAre(Facts.Loops[0].Header));
  // The counter is a phi of what enters and what comes back.
  const Operation &Add = opOf(Facts, "IADD3");
  ASSERT_EQ(Add.Operands.size(), 1u);
  const Operation &Phi = Facts.Operations[Add.Operands[0].Index];
  EXPECT_EQ(Phi.What, Semantics::Phi);
  EXPECT_EQ(Phi.Operands.size(), 2u);
  const Operation &Back = opOf(Facts, "BRA");
  EXPECT_TRUE(Back.Guard.isValue());
  EXPECT_FALSE(Back.GuardNegated);
}

TEST(ReadSass, CalledFunctionsArePartOfTheirCallers) {
  KernelFacts Facts = factsOf(R"(CALL.REL.NOINC `(slow)
    CALL.REL.NOINC `(slow)
    EXIT
    slow:
    FADD R1, R1, R2
    RET.REL.NODEC R4 `(k))");
  unsigned Adds = 0;
  for (const Operation &Op : Facts.Operations)
    Adds += Op.Opcode == "FADD";
  EXPECT_EQ(Adds, 2u);
  EXPECT_TRUE(Facts.Loops.empty());
}

TEST(ReadSass, PairsAndPredicatesAreFollowed) {
  KernelFacts Facts = factsOf(R"(IMAD.WIDE R2, R0, 0x4, R6
    LDG.E.64 R8, desc[UR4][R2.64+-0x10]
    @!P1 DADD R8, R8, R8
    STG.E.64 desc[UR4][R2.64], R8
    EXIT)");
  ASSERT_EQ(Facts.Accesses.size(), 2u);
  EXPECT_EQ(Facts.Accesses[0].OffsetBytes, -16);
  EXPECT_EQ(Facts.Accesses[0].BytesPerLane, 8u);
  EXPECT_EQ(Facts.Accesses[0].Base, Operand::value(0));
  // Lanes that the guard leaves out keep what was loaded.
  EXPECT_TRUE(opOf(Facts, "DADD").GuardNegated);
  EXPECT_EQ(opOf(Facts, "STG.E.64").Operands.size(), 4u);
}

TEST(ReadSass, UnknownOpcodeIsAGap) {
  KernelFacts Facts = factsOf("NOSUCH.X R1, R2\nEXIT");
  ASSERT_EQ(Facts.Gaps.size(), 1u);
  EXPECT_EQ(Facts.Gaps[0].What, "unknown opcode 'NOSUCH.X'");
  EXPECT_EQ(Facts.Operations[0].Emits[0].Class, InstClass::Unknown);
}

TEST(ReadSass, MissingLabelIsAnError) {
  auto Functions = cantFail(parseDisassembly(listing("BRA `(.L_x_7)"), "test"));
  auto Facts = readSass(Functions.front());
  ASSERT_FALSE(bool(Facts));
  EXPECT_EQ(toString(Facts.takeError()),
            "kernel 'k': 'BRA' at 0x0 goes to '.L_x_7', which is not there");
}

} // namespace
