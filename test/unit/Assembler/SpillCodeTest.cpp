//===- SpillCodeTest.cpp - Loads and stores of spilled registers ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Values made in block 0, a loop in block 1, uses in block 2.
class AroundLoop {
public:
  KernelFacts Facts;

  AroundLoop() {
    Facts.Blocks.resize(3);
    Facts.Blocks[0].Successors = {1};
    Facts.Blocks[1].Successors = {1, 2};
    Facts.Blocks[1].Loop = 0;
    gpuocc::Loop L;
    L.Header = 1;
    L.Blocks = L.Latches = {1};
    Facts.Loops.push_back(L);
  }

  Operand emit(uint32_t Block, InstClass Class, std::vector<Operand> In,
               unsigned NumResults = 1) {
    Operation Op;
    Op.Block = Block;
    Op.NumResults = uint8_t(NumResults);
    Op.Operands.assign(In.begin(), In.end());
    Op.Emits.push_back({Class, 1, 1});
    Facts.Operations.push_back(Op);
    uint32_t First = 0;
    for (BasicBlock &B : Facts.Blocks) {
      B.FirstOp = First;
      if (&B == &Facts.Blocks[Block])
        ++B.NumOps;
      First += B.NumOps;
    }
    return Operand::value(uint32_t(Facts.Operations.size() - 1));
  }

  /// \p Kept values around the loop, and two that every iteration uses.
  static AroundLoop keeping(unsigned Kept) {
    AroundLoop K;
    Operand Tid = K.emit(0, InstClass::S2R, {});
    std::vector<Operand> Values;
    for (unsigned I = 0; I != Kept; ++I)
      Values.push_back(K.emit(0, InstClass::FAdd, {Tid}));
    Operand Hot = K.emit(0, InstClass::FAdd, {Tid});
    Operand Sum = K.emit(1, InstClass::FFma, {Hot, Hot});
    for (Operand V : Values)
      K.emit(2, InstClass::StGlobal, {V, Sum}, 0);
    return K;
  }
};

} // namespace

TEST(SpillCode, WithoutSpillsNothingChanges) {
  KernelFacts Facts = AroundLoop::keeping(8).Facts;
  EXPECT_EQ(withSpillCode(Facts), Facts);
}

TEST(SpillCode, EachValueIsStoredOnceAndLoadedWhereItIsUsed) {
  KernelFacts Facts = AroundLoop::keeping(8).Facts;
  Facts.Resources.SpillStoreBytes = Facts.Resources.SpillLoadBytes = 12;
  KernelFacts Spilled = withSpillCode(Facts);
  EXPECT_EQ(toString(verifyFacts(Spilled)), "");
  EXPECT_EQ(spilledBytes(Spilled).Stored, 12u);
  EXPECT_EQ(spilledBytes(Spilled).Loaded, 12u);
  EXPECT_EQ(Spilled.Operations.size(), Facts.Operations.size() + 6);
  for (const MemoryAccess &A : Spilled.Accesses)
    EXPECT_EQ(Spilled.Operations[A.Op].Block,
              A.Kind == AccessKind::Store ? 0u : 2u);
}

TEST(SpillCode, SlotsHoldWhatHasNoRegister) {
  KernelFacts Facts = AroundLoop::keeping(8).Facts;
  Facts.Resources.SpillStoreBytes = Facts.Resources.SpillLoadBytes = 24;
  const unsigned Most = pressurePeak(Facts).Registers;
  // Two more are alive than there are registers, six are spilled.
  Facts.Resources.RegistersPerThread = Most - 2;
  EXPECT_EQ(withSpillCode(Facts).Resources.SpilledAtOnceBytes, 8u);
  Facts.Resources.RegistersPerThread = Most;
  EXPECT_EQ(withSpillCode(Facts).Resources.SpilledAtOnceBytes, 0u);
  // No more than the slots.
  Facts.Resources.RegistersPerThread = 0;
  EXPECT_EQ(withSpillCode(Facts).Resources.SpilledAtOnceBytes, 24u);
}

TEST(SpillCode, UsersReadWhatWasLoaded) {
  KernelFacts Facts = AroundLoop::keeping(2).Facts;
  Facts.Resources.SpillStoreBytes = Facts.Resources.SpillLoadBytes = 8;
  KernelFacts Spilled = withSpillCode(Facts);
  for (const Operation &Op : Spilled.Operations) {
    if (Op.Emits.front().Class != InstClass::StGlobal)
      continue;
    EXPECT_EQ(Spilled.Operations[Op.Operands[0].Index].Emits.front().Class,
              InstClass::LdLocal);
    EXPECT_EQ(Spilled.Operations[Op.Operands[1].Index].Emits.front().Class,
              InstClass::FFma);
  }
}

TEST(SpillCode, WhatALoopUsesIsSpilledLast) {
  KernelFacts Facts = AroundLoop::keeping(4).Facts;
  Facts.Resources.SpillStoreBytes = Facts.Resources.SpillLoadBytes = 16;
  KernelFacts Spilled = withSpillCode(Facts);
  for (const MemoryAccess &A : Spilled.Accesses)
    EXPECT_NE(Spilled.Operations[A.Op].Block, 1u);
  EXPECT_EQ(spilledBytes(Spilled).Stored, 16u);
}

/// A loop that carries \p Carried sums in a thread of \p Registers, with
/// \p SpillBytes of spills; the loads in its body.
static size_t loadsInLoop(unsigned Carried, unsigned Registers,
                          uint64_t SpillBytes, unsigned KeptAround = 0) {
  AroundLoop K;
  Operand Tid = K.emit(0, InstClass::S2R, {});
  std::vector<Operand> Kept, First, Phis, Sums;
  for (unsigned I = 0; I != KeptAround; ++I)
    Kept.push_back(K.emit(0, InstClass::FAdd, {Tid}));
  for (unsigned I = 0; I != Carried; ++I)
    First.push_back(K.emit(0, InstClass::FAdd, {Tid}));
  for (unsigned I = 0; I != Carried; ++I) {
    Phis.push_back(K.emit(1, InstClass::Mov, {}));
    Operation &Phi = K.Facts.Operations.back();
    Phi.Emits.clear();
    Phi.What = Semantics::Phi;
    Phi.PhiBlocks = {0, 1};
  }
  // Each needs another one, so that all are alive throughout.
  for (unsigned I = 0; I != Carried; ++I)
    Sums.push_back(
        K.emit(1, InstClass::FFma, {Phis[I], Phis[(I + 1) % Carried]}));
  for (unsigned I = 0; I != Carried; ++I) {
    K.Facts.Operations[Phis[I].Index].Operands = {First[I], Sums[I]};
    K.emit(2, InstClass::StGlobal, {Sums[I]}, 0);
  }
  for (Operand V : Kept)
    K.emit(2, InstClass::StGlobal, {V}, 0);
  K.Facts.Resources.RegistersPerThread = Registers;
  K.Facts.Resources.SpillStoreBytes = K.Facts.Resources.SpillLoadBytes =
      SpillBytes;
  const KernelFacts Spilled = withSpillCode(K.Facts);
  EXPECT_EQ(toString(verifyFacts(Spilled)), "");
  return llvm::count_if(Spilled.Accesses, [&](const MemoryAccess &A) {
    return A.Kind == AccessKind::Load && Spilled.Operations[A.Op].Block == 1;
  });
}

TEST(SpillCode, ALoopReloadsWhatItHasNoRegistersFor) {
  // ptxas 13.0: 60 loads of 64 sums in 32 registers, 92 of 96.
  EXPECT_NEAR(double(loadsInLoop(64, 32, 8192)), 60, 6);
  EXPECT_NEAR(double(loadsInLoop(96, 32, 8192)), 92, 6);
  EXPECT_NEAR(double(loadsInLoop(96, 64, 8192)), 60, 6);
}

TEST(SpillCode, ALoopDoesNotReloadWhatItDoesNotUse) {
  // 64 values around a loop that has registers for its own 16.
  EXPECT_EQ(loadsInLoop(16, 32, 64 * 4, 64), 0u);
}

TEST(SpillCode, WhatComesAroundALoopIsStoredBeforeAndInIt) {
  // Eight sums of a loop, not all of which have a register.
  AroundLoop K;
  Operand Tid = K.emit(0, InstClass::S2R, {});
  std::vector<Operand> Phis;
  for (unsigned I = 0; I != 8; ++I) {
    Phis.push_back(K.emit(1, InstClass::Mov, {}));
    Operation &Phi = K.Facts.Operations.back();
    Phi.Emits.clear();
    Phi.What = Semantics::Phi;
    Phi.PhiBlocks = {0, 1};
  }
  std::vector<Operand> Sums;
  for (Operand Phi : Phis)
    Sums.push_back(K.emit(1, InstClass::FAdd, {Phi, Tid}));
  for (unsigned I = 0; I != 8; ++I)
    K.Facts.Operations[Phis[I].Index].Operands = {Tid, Sums[I]};
  for (Operand Sum : Sums)
    K.emit(2, InstClass::StGlobal, {Sum}, 0);
  K.Facts.Resources.SpillStoreBytes = 16;
  K.Facts.Resources.SpillLoadBytes = 8;
  K.Facts.Resources.RegistersPerThread = 8;
  KernelFacts New = withSpillCode(K.Facts);
  unsigned StoresIn[3] = {};
  for (const MemoryAccess &A : New.Accesses)
    if (isSpill(New, A) && A.Kind == AccessKind::Store)
      ++StoresIn[New.Operations[A.Op].Block];
  // One of the old sums, and two of the new ones.
  EXPECT_EQ(StoresIn[0], 1u);
  EXPECT_EQ(StoresIn[1], 3u);
  EXPECT_EQ(StoresIn[2], 0u);
}

TEST(SpillCode, MachineCodeStaysAsItIs) {
  KernelFacts Facts = AroundLoop::keeping(8).Facts;
  Facts.View = MachineView::Sass;
  Facts.Resources.SpillStoreBytes = 16;
  EXPECT_EQ(withSpillCode(Facts), Facts);
}
