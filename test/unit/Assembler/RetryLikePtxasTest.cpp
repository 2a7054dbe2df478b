//===- RetryLikePtxasTest.cpp - Atomics that ptxas makes loops of ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

constexpr uint32_t Atomic = 2;

/// Three blocks in a loop; the second one adds thread numbers to a word and
/// stores what was there before.
KernelFacts additions(MemorySpace Space, unsigned Bytes, bool OnFloats,
                      const char *Op = "add") {
  KernelFacts F;
  F.Operations.resize(6);
  F.Operations[0].What = Semantics::Phi;
  F.Operations[0].Operands = {Operand::immediate(0), Operand::value(5)};
  F.Operations[0].PhiBlocks = {0, 1};
  F.Operations[1].What = Semantics::SReg;
  F.Operations[1].SReg = SpecialReg::TidX;
  F.Operations[Atomic].What = Semantics::Load;
  F.Operations[Atomic].Opcode = "ATOM";
  F.Operations[Atomic].Operands = {Operand::value(1), Operand::value(1)};
  F.Operations[Atomic].Emits = {{InstClass::AtomShared, 1, 1}};
  F.Operations[Atomic].Access = 0;
  F.Operations[3].Operands = {Operand::value(Atomic)};
  F.Operations[3].Access = 1;
  F.Operations[4].What = Semantics::Compare;
  F.Operations[4].Operands = {Operand::value(0), Operand::value(Atomic)};
  F.Operations[5].Operands = {Operand::value(4)};
  F.Blocks.resize(3);
  F.Blocks[0] = {"entry", 0, 0, {1}, NoIndex, NoIndex, 1, NoIndex};
  F.Blocks[1] = {"body", 0, 6, {1, 2}, 0, 0, 2, NoIndex};
  F.Blocks[2] = {"exit", 6, 0, {}, NoIndex, NoIndex, NoIndex, NoIndex};
  for (Operation &O : F.Operations)
    O.Block = 1;
  F.Loops.resize(1);
  F.Loops[0].Header = 1;
  F.Loops[0].Blocks = {1};
  F.Loops[0].Latches = {1};
  Branch B;
  B.Op = 5;
  B.Block = 1;
  B.Condition = Operand::value(4);
  B.Targets = {1, 2};
  F.Branches.push_back(B);
  F.Accesses.resize(2);
  F.Accesses[0].Op = Atomic;
  F.Accesses[0].Space = Space;
  F.Accesses[0].Kind = AccessKind::Atomic;
  F.Accesses[0].AtomicOp = Op;
  F.Accesses[0].OnFloats = OnFloats;
  F.Accesses[0].BytesPerLane = Bytes;
  F.Accesses[0].Base = Operand::value(1);
  F.Accesses[1].Op = 3;
  F.Accesses[1].Kind = AccessKind::Store;
  F.Accesses[1].Base = Operand::value(1);
  F.Accesses[1].Stored = {Operand::value(Atomic)};
  return F;
}

KernelFacts retried(KernelFacts F) {
  EXPECT_FALSE(errorToBool(verifyFacts(F)));
  retryAtomicsLikePtxas(F);
  EXPECT_FALSE(errorToBool(verifyFacts(F)));
  return F;
}

TEST(RetryLikePtxas, SharedAdditionsOfFloatsBecomeLoops) {
  KernelFacts F = retried(additions(MemorySpace::Shared, 4, true));
  ASSERT_EQ(F.Blocks.size(), 5u);
  const BasicBlock &Body = F.Blocks[2];
  ASSERT_EQ(Body.NumOps, 5u);
  const InstClass Wanted[] = {InstClass::LdShared, InstClass::FAdd,
                              InstClass::AtomShared, InstClass::ISetp,
                              InstClass::Branch};
  for (unsigned I = 0; I != 5; ++I)
    EXPECT_EQ(F.Operations[Body.FirstOp + I].Emits[0].Class, Wanted[I]);
  EXPECT_EQ(F.Accesses[0].AtomicOp, "cas");
  EXPECT_EQ(F.Accesses[0].Combining, LaneCombining::Retried);
  EXPECT_EQ(F.Accesses[2].Kind, AccessKind::Load);
}

TEST(RetryLikePtxas, ResultsAreWhatWasLoaded) {
  KernelFacts F = retried(additions(MemorySpace::Shared, 4, true));
  EXPECT_EQ(F.Accesses[1].Stored[0], Operand::value(F.Accesses[2].Op));
}

TEST(RetryLikePtxas, LoopsAroundGoOnBehindIt) {
  KernelFacts F = retried(additions(MemorySpace::Shared, 4, true));
  EXPECT_EQ(F.Loops[0].Blocks.size(), 3u);
  EXPECT_EQ(F.Loops[0].Header, 1u);
  EXPECT_EQ(F.Loops[0].Latches[0], 3u);
  EXPECT_EQ(F.Operations[0].PhiBlocks[1], 3u);
  EXPECT_EQ(F.Loops[1].Parent, 0u);
  EXPECT_EQ(F.Loops[1].Depth, 2u);
  EXPECT_EQ(F.Branches[0].Block, 3u);
  EXPECT_EQ(F.Branches[0].Targets[1], 4u);
}

TEST(RetryLikePtxas, WideIntegersToo) {
  for (const char *Op : {"add", "and", "or", "xor"})
    EXPECT_EQ(
        retried(additions(MemorySpace::Shared, 8, false, Op)).Blocks.size(),
        5u);
}

/// Additions to halves of an array in shared memory, or of an argument, through
/// a generic address.
KernelFacts genericAdditions(bool ToShared) {
  KernelFacts F = additions(MemorySpace::Generic, 4, true);
  Symbol S;
  S.Name = "sums";
  S.Space = MemorySpace::Shared;
  F.Symbols.push_back(S);
  F.Operations[1].What = Semantics::Add;
  F.Operations[1].Operands = {Operand::immediate(16), Operand::immediate(8)};
  if (ToShared)
    F.Operations[1].Operands[0] = Operand::symbol(0);
  F.Operations[Atomic].Emits = {{InstClass::AtomGlobal, 1, 1}};
  return F;
}

TEST(RetryLikePtxas, GenericAddressesOfSharedArraysToo) {
  KernelFacts F = retried(genericAdditions(true));
  ASSERT_EQ(F.Blocks.size(), 5u);
  EXPECT_EQ(F.Accesses[0].Space, MemorySpace::Shared);
  EXPECT_EQ(F.Operations[F.Accesses[0].Op].Emits[0].Class,
            InstClass::AtomShared);
  const KernelFacts Other = genericAdditions(false);
  EXPECT_EQ(retried(Other), Other);
}

TEST(RetryLikePtxas, WhatMemoryHasStays) {
  for (const KernelFacts &F :
       {additions(MemorySpace::Global, 4, true),
        additions(MemorySpace::Shared, 4, false),
        additions(MemorySpace::Shared, 8, false, "cas"),
        additions(MemorySpace::Shared, 8, false, "exch")})
    EXPECT_EQ(retried(F), F);
}

} // namespace
