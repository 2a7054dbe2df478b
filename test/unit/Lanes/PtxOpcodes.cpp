//===- PtxOpcodes.cpp - PTX instructions against a GPU --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../golden/ptx-opcodes/operands.h"
#include "Walk/LaneOps.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <array>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The values of one warp while a block runs.
class BlockRunner {
public:
  BlockRunner(const PtxBlock &Block, std::vector<LaneValue> Arguments)
      : Block(Block), Arguments(std::move(Arguments)),
        Values(Block.Steps.size()) {}

  /// What the block writes, in the order of its results.
  std::vector<LaneValue> run() {
    for (size_t I = 0; I != Block.Steps.size(); ++I)
      for (unsigned R = 0; R != Block.Steps[I].NumResults; ++R)
        Values[I][R] = valueOf(Block.Steps[I], R);
    std::vector<LaneValue> Results;
    for (const auto &[Number, Ref] : Block.Results)
      Results.push_back(valueOf(Ref));
    return Results;
  }

private:
  LaneValue valueOf(const PtxRef &R) const {
    switch (R.K) {
    case PtxRef::Kind::Step:
      return Values[R.Index][R.Result];
    case PtxRef::Kind::Argument:
      return Arguments[R.Index];
    case PtxRef::Kind::Number:
      return LaneValue(uint64_t(R.Number));
    case PtxRef::Kind::Unknown:
      break;
    }
    return LaneValue();
  }

  LaneValue valueOf(const PtxStep &S, unsigned Result) const {
    if (S.What == Semantics::ActiveMask)
      return LaneValue(AllLanes);
    if (S.What == Semantics::SReg)
      return special(S.SReg);
    SliceOp Op;
    Op.What = S.What;
    Op.Bits = S.Bits;
    Op.FromBits = S.FromBits;
    Op.Compare = S.Compare;
    Op.Shuffle = S.Shuffle;
    Op.Imm = S.Imm;
    SmallVector<LaneValue, 4> Operands;
    for (const PtxRef &R : S.Operands)
      Operands.push_back(valueOf(R));
    SmallVector<const LaneValue *, 4> Pointers;
    for (const LaneValue &V : Operands)
      Pointers.push_back(&V);
    LaneValue Out;
    evaluateLanes(Op, Result, Pointers, AllLanes, Out);
    return Out;
  }

  static LaneValue special(SpecialReg R) {
    LaneValue Out;
    Out.expand();
    for (unsigned L = 0; L != WarpLanes; ++L) {
      const uint64_t Own = uint64_t(1) << L;
      Out.V[L] = R == SpecialReg::LaneMaskEq   ? Own
                 : R == SpecialReg::LaneMaskLt ? Own - 1
                 : R == SpecialReg::LaneMaskLe ? 2 * Own - 1
                 : R == SpecialReg::LaneMaskGt ? AllLanes & ~(2 * Own - 1)
                 : R == SpecialReg::LaneMaskGe ? AllLanes & ~(Own - 1)
                                               : L;
    }
    return Out;
  }

  const PtxBlock &Block;
  const std::vector<LaneValue> Arguments;
  std::vector<std::array<LaneValue, 2>> Values;
};

/// "%0" of CUDA is "$0" in LLVM, "%%laneid" is "%laneid".
std::string asLLVM(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I != Text.size(); ++I) {
    const bool IsPercent = Text[I] == '%' && I + 1 != Text.size();
    if (IsPercent && isDigit(Text[I + 1]))
      Out += '$';
    else if (IsPercent && Text[I + 1] == '%')
      Out += Text[++I];
    else
      Out += Text[I];
  }
  return Out;
}

bool isEvaluated(const PtxBlock &Block) {
  return Block.isLifted() && none_of(Block.Steps, [](const PtxStep &S) {
           return S.What == Semantics::Opaque;
         });
}

uint64_t hashOf(const PtxBlock &Block, const std::string &Text, StringRef Out,
                StringRef In) {
  const uint64_t Seed = opcodes::seedOf(Text.c_str());
  uint64_t Hash = 0;
  for (unsigned First = 0; First != opcodes::NumTrials; First += WarpLanes) {
    std::vector<LaneValue> Arguments(Out.size());
    for (size_t K = 0; K != In.size(); ++K) {
      LaneValue V;
      V.expand();
      for (unsigned L = 0; L != WarpLanes; ++L)
        V.V[L] = opcodes::operand(In[K], Seed, First + L, unsigned(K));
      Arguments.push_back(V);
    }
    const std::vector<LaneValue> Results =
        BlockRunner(Block, std::move(Arguments)).run();
    for (unsigned L = 0; L != WarpLanes; ++L)
      for (size_t R = 0; R != Out.size(); ++R)
        Hash =
            opcodes::mix(Hash ^ opcodes::canonical(Out[R], Results[R].lane(L)));
  }
  return Hash;
}

TEST(PtxOpcodes, ValuesAreThoseOfAGpu) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR "/test/golden/ptx-opcodes/nvidia-h100.json");
  ASSERT_TRUE(bool(File));
  Expected<json::Value> Parsed = json::parse((*File)->getBuffer());
  ASSERT_TRUE(bool(Parsed)) << toString(Parsed.takeError());
  constexpr unsigned FewestEvaluated = 1504;
  unsigned NumEvaluated = 0;
  for (const json::Value &V : *Parsed->getAsObject()->getArray("cases")) {
    const json::Object &Case = *V.getAsObject();
    const std::string Text = Case.getString("text")->str();
    SCOPED_TRACE(Text);
    const StringRef Out = *Case.getString("out"), In = *Case.getString("in");
    const std::string Statements = asLLVM(Text);
    const PtxBlock Block = readPtxBlock(Statements, PtxNumbers::All);
    if (!isEvaluated(Block)) {
      EXPECT_FALSE(whyOpaquePtx(StringRef(Text).split(' ').first).empty());
      continue;
    }
    ++NumEvaluated;
    ASSERT_EQ(Block.Results.size(), Out.size());
    EXPECT_EQ(utohexstr(hashOf(Block, Text, Out, In), /*LowerCase=*/true, 16),
              *Case.getString("hash"));
  }
  EXPECT_GE(NumEvaluated, FewestEvaluated);
}

/// The result of \p Text for arguments that are the same in all lanes.
uint64_t valueOf(StringRef Text, std::initializer_list<uint64_t> Arguments) {
  const PtxBlock Block = readPtxBlock(Text);
  EXPECT_TRUE(isEvaluated(Block));
  std::vector<LaneValue> Values;
  for (uint64_t A : Arguments)
    Values.push_back(LaneValue(A));
  return BlockRunner(Block, Values).run().front().lane(0);
}

TEST(PtxBlock, StatementsPassValuesByName) {
  EXPECT_EQ(
      valueOf("{ .reg .b32 t; shl.b32 t, $1, 4; or.b32 $0, t, 3; }", {0, 2}),
      35u);
}

TEST(PtxBlock, AGuardKeepsWhatWasThere) {
  const StringRef Text = "{ .reg .pred p; mov.u32 $0, 7; "
                         "setp.lt.u32 p, $1, 4; @!p add.u32 $0, $1, 1; }";
  EXPECT_EQ(valueOf(Text, {0, 3}), 7u);
  EXPECT_EQ(valueOf(Text, {0, 9}), 10u);
}

TEST(PtxBlock, TheCarryIsAnOperandWhereACommentSaysSo) {
  EXPECT_EQ(valueOf("// carry = $3\naddc.u32 $0, $1, $2;", {0, 5, 6, 1}), 12u);
  EXPECT_EQ(
      valueOf("add.cc.u32 $9, $1, $2;\n// $0 = carry", {0, 0xffffffff, 1}), 1u);
}

TEST(PtxBlock, WhatJumpsIsNotLifted) {
  EXPECT_FALSE(readPtxBlock("{ add.u32 $0, $1, 1; bra L; L: }").isLifted());
  EXPECT_FALSE(readPtxBlock("L: add.u32 $0, $1, 1;").isLifted());
}

TEST(PtxBlock, HalvesAreLiftedOnlyIfAskedFor) {
  const StringRef Text = "add.rn.f16 $0, $1, $2;";
  EXPECT_FALSE(readPtxBlock(Text).isLifted());
  EXPECT_TRUE(readPtxBlock(Text, PtxNumbers::All).isLifted());
}

TEST(PtxBlock, BrokenTextIsNotLifted) {
  for (StringRef Text : {"", ";", "add", "add.u32", "add.u32 $0,", "bfi.b32 {",
                         "@", "@p", "@!", "lop3.b32 $0, $1, $2, $3, $4;", "$",
                         "mov.b64 {$0, $1}, ", "[", "setp.lt.u32 $0|;",
                         "vadd.u32.u32.u32 $0.b9, $1.h7, $2;", "// carry = "})
    EXPECT_FALSE(isEvaluated(readPtxBlock(Text))) << Text.str();
  constexpr size_t Many = 1000000;
  for (char C : {'[', '{', ';', '@', '!', '$'})
    EXPECT_FALSE(
        isEvaluated(readPtxBlock("add.u32 $0, " + std::string(Many, C))));
}

TEST(PtxOpcodes, HalvesBecomeFloats) {
  EXPECT_EQ(valueOf("cvt.f32.bf16 $0, $1;", {0, 0x3f80}), 0x3f800000U);
  EXPECT_EQ(valueOf("cvt.f32.f16 $0, $1;", {0, 0xbc00}), 0xbf800000U);
  // What is computed of halves is not followed.
  EXPECT_FALSE(isEvaluated(readPtxBlock("add.rn.f16 $0, $1, $2;")));
}

} // namespace
