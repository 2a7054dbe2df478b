//===- RegisterPressureTest.cpp - Registers that code keeps alive ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// One block, written operation by operation.
class OneBlock {
public:
  KernelFacts Facts;

  OneBlock() { Facts.Blocks.emplace_back(); }

  /// What follows is in a block of its own behind.
  void nextBlock() {
    uint32_t Next = uint32_t(Facts.Blocks.size());
    Facts.Blocks.back().Successors.push_back(Next);
    Facts.Blocks.emplace_back();
    Facts.Blocks.back().FirstOp = uint32_t(Facts.Operations.size());
  }

  /// Ends the block in a jump over the next one, which may be predicated; what
  /// follows is on that side.
  void beginSide(Operand Condition, bool IsPredicated) {
    const uint32_t Before = uint32_t(Facts.Blocks.size() - 1);
    Branch B;
    B.Condition = Condition;
    B.Block = Before;
    B.Targets = {Before + 1, Before + 2};
    Facts.Blocks.back().Branch = uint32_t(Facts.Branches.size());
    Facts.Branches.push_back(B);
    nextBlock();
    Facts.Blocks[Before].Successors.push_back(Before + 2);
    if (IsPredicated)
      Facts.Blocks.back().PredicatedInto = Before;
  }

  /// What the side before this block wrote, or what was before it.
  Operand choose(Operand Written, Operand Otherwise) {
    Operation Phi;
    Phi.What = Semantics::Phi;
    Phi.Operands = {Written, Otherwise};
    Phi.PhiBlocks = {uint32_t(Facts.Blocks.size() - 2),
                     uint32_t(Facts.Blocks.size() - 3)};
    return push(std::move(Phi));
  }

  Operand emit(InstClass Class, std::vector<Operand> Operands,
               unsigned Bits = 32, Semantics What = Semantics::Opaque) {
    Operation Op;
    Op.What = What;
    Op.Bits = uint8_t(Bits);
    Op.Operands.assign(Operands.begin(), Operands.end());
    Op.Emits.push_back({Class, 1, 1});
    return push(std::move(Op));
  }
  /// Emits nothing: read from its operands.
  Operand fold(Operand From) {
    Operation Op;
    Op.What = Semantics::Copy;
    Op.Operands = {From};
    return push(std::move(Op));
  }
  Operand tid() { return emit(InstClass::S2R, {}, 32, Semantics::SReg); }
  Operand load(Operand Address, MemorySpace Space = MemorySpace::Global) {
    MemoryAccess A;
    A.Op = uint32_t(Facts.Operations.size());
    A.Space = Space;
    A.Base = Address;
    A.OffsetBytes = int64_t(Facts.Accesses.size()) * 4;
    Facts.Accesses.push_back(A);
    Operand Value = emit(InstClass::LdGlobal, {Address}, 32, Semantics::Load);
    Facts.Operations.back().Access = uint32_t(Facts.Accesses.size() - 1);
    return Value;
  }
  void use(std::vector<Operand> Operands) {
    emit(InstClass::StShared, std::move(Operands));
    Facts.Operations.back().NumResults = 0;
  }
  void call() {
    emit(InstClass::Call, {});
    Facts.Operations.back().NumResults = 0;
  }

private:
  Operand push(Operation Op) {
    Op.Block = uint32_t(Facts.Blocks.size() - 1);
    Facts.Operations.push_back(std::move(Op));
    ++Facts.Blocks.back().NumOps;
    return Operand::value(uint32_t(Facts.Operations.size() - 1));
  }
};

/// \p Count loads from one address, each of which could die at once.
KernelFacts loadsOfOneAddress(unsigned Count) {
  OneBlock B;
  Operand Address = B.emit(InstClass::IMadWide, {B.tid()}, 64);
  for (unsigned I = 0; I != Count; ++I)
    B.use({B.load(Address)});
  return B.Facts;
}

TEST(RegisterPressure, BoundsBeyondAnyBlockBindAsAFullSm) {
  KernelFacts Facts = loadsOfOneAddress(100);
  Facts.Bounds.MaxThreads = 2048;
  const unsigned Full = estimateRegisters(Facts, RegisterFile());
  Facts.Bounds.MaxThreads = ~0u;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), Full);
  Facts.Bounds.MaxThreads = 0;
  for (std::array<unsigned, 3> Block :
       {std::array{~0u, 1u, 1u}, {~0u, ~0u, ~0u}, {1u << 31, 2, 1}}) {
    Facts.Bounds.RequiredBlock = Block;
    EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), Full);
  }
}

} // namespace

TEST(RegisterFile, RegistersOfAFullSm) {
  RegisterFile File;
  EXPECT_EQ(File.perThread(64), 32u);
  // sm_86 has 48 warps: 65536 / 1536 = 42.7, rounded down to 8.
  EXPECT_EQ(File.perThread(48), 40u);
  EXPECT_EQ(File.perThread(32), 64u);
  EXPECT_EQ(File.perThread(4), 255u);
}

TEST(EstimateRegisters, SmallKernelsGetWhatTheDriverGivesAtLeast) {
  EXPECT_EQ(estimateRegisters(loadsOfOneAddress(1), RegisterFile()), 16u);
}

TEST(EstimateRegisters, LoadsMoveUpAsLongAsNoWarpIsLost) {
  // 15 values and the address of the last, R1, what is never in the code,
  // holes.
  EXPECT_EQ(estimateRegisters(loadsOfOneAddress(16), RegisterFile()), 22u);
  EXPECT_EQ(estimateRegisters(loadsOfOneAddress(60), RegisterFile()), 32u);
  RegisterFile Turing;
  Turing.WarpsPerSm = 32;
  EXPECT_EQ(estimateRegisters(loadsOfOneAddress(100), Turing), 64u);
}

TEST(EstimateRegisters, ValuesThatAreNeededTogetherGoBeyond) {
  OneBlock B;
  Operand Address = B.emit(InstClass::IMadWide, {B.tid()}, 64);
  std::vector<Operand> All;
  for (unsigned I = 0; I != 60; ++I)
    All.push_back(B.load(Address));
  B.use(All);
  EXPECT_GT(estimateRegisters(B.Facts, RegisterFile()), 60u);
  B.Facts.Bounds.MaxThreads = 1024;
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 64u);
  B.Facts.Bounds.MinBlocksPerSm = 2;
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 32u);
}

TEST(EstimateRegisters, WhoBoundsRegistersLeavesThemToBeTaken) {
  // What a full SM has is no limit for who chose how many blocks there are.
  KernelFacts Facts = loadsOfOneAddress(60);
  Facts.Bounds.MaxThreads = 256;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), 32u);
  Facts.Bounds.MinBlocksPerSm = 1;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), 66u);
  Facts.Bounds.MinBlocksPerSm = 6;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), 40u);
  // No SM holds 9 blocks of 256 threads.
  Facts.Bounds.MinBlocksPerSm = 9;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), 32u);
  Facts.Bounds = LaunchBounds();
  Facts.Bounds.MaxRegisters = 48;
  EXPECT_EQ(estimateRegisters(Facts, RegisterFile()), 48u);
}

TEST(EstimateRegisters, WhatAWarpIsGivenAnywayIsTaken) {
  OneBlock B;
  std::vector<Operand> All;
  for (unsigned I = 0; I != 33; ++I)
    All.push_back(B.tid());
  B.use(All);
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 40u);
}

TEST(EstimateRegisters, AddressesKeepTheirPlaceWhileLoadsAreUnderWay) {
  // Eight pairs, the index, and what every kernel has.
  OneBlock B;
  Operand Index = B.tid();
  std::vector<Operand> All;
  for (unsigned I = 0; I != 8; ++I)
    All.push_back(B.load(B.emit(InstClass::IMadWide, {Index}, 64)));
  for (Operand Value : All)
    B.use({Value});
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 16u + 5);
}

TEST(EstimateRegisters, AddressesInSharedMemoryTakeOneRegister) {
  auto Pressure = [](MemorySpace Space) {
    OneBlock B;
    std::vector<Operand> Addresses;
    for (unsigned I = 0; I != 10; ++I)
      Addresses.push_back(
          B.emit(InstClass::IMadWide, {B.tid()}, 64, Semantics::Add));
    B.call();
    for (Operand Address : Addresses)
      B.use({B.load(Address, Space)});
    return pressurePeak(B.Facts).Registers;
  };
  EXPECT_EQ(Pressure(MemorySpace::Global), Pressure(MemorySpace::Shared) + 10);
}

TEST(EstimateRegisters, NothingMovesAcrossASlowPath) {
  auto Registers = [](bool Divides) {
    OneBlock B;
    Operand Index = B.tid();
    if (Divides)
      B.emit(InstClass::Branch, {Index}, 32, Semantics::FDiv);
    for (unsigned I = 0; I != 20; ++I) {
      B.use({B.load(B.emit(InstClass::IMadWide, {Index}, 64))});
      if (Divides)
        B.emit(InstClass::Branch, {Index}, 32, Semantics::FDiv);
    }
    return estimateRegisters(B.Facts, RegisterFile());
  };
  EXPECT_EQ(Registers(/*Divides=*/false), 32u);
  EXPECT_EQ(Registers(/*Divides=*/true), 16u);
}

TEST(EstimateRegisters, ArithmeticThatHasTimeStaysNextToItsUse) {
  // A chain of exchanges between lanes, each with one bit of the index.
  OneBlock B;
  Operand Index = B.tid();
  std::vector<Operand> Bits;
  for (unsigned I = 0; I != 24; ++I)
    Bits.push_back(B.emit(InstClass::Shf, {Index}));
  Operand Value = B.load(B.emit(InstClass::IMadWide, {Index}, 64));
  for (Operand Bit : Bits)
    Value = B.emit(InstClass::Sel, {B.emit(InstClass::Shfl, {Value}), Bit});
  B.use({Value});
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 16u);
}

TEST(EstimateRegisters, PredicatedSidesAreScheduledWithTheirBlock) {
  auto Registers = [](bool IsPredicated) {
    OneBlock B;
    Operand Index = B.tid();
    Operand Address = B.emit(InstClass::IMadWide, {Index}, 64);
    for (unsigned I = 0; I != 16; ++I) {
      Operand Condition =
          B.emit(InstClass::ISetp, {Index}, 1, Semantics::Compare);
      B.beginSide(Condition, IsPredicated);
      B.use({B.load(Address)});
      B.nextBlock();
    }
    return estimateRegisters(B.Facts, RegisterFile());
  };
  EXPECT_EQ(Registers(/*IsPredicated=*/false), 16u);
  // 15 values and the address of the last beside what every kernel has.
  EXPECT_EQ(Registers(/*IsPredicated=*/true), 22u);
}

TEST(EstimateRegisters, PointersAreLoadedBeforeLoops) {
  auto Registers = [](bool IsLoop) {
    OneBlock B;
    std::vector<Operand> Pointers;
    for (unsigned I = 0; I != 12; ++I)
      Pointers.push_back(B.emit(InstClass::Ldc, {}, 64, Semantics::Param));
    Operand Index = B.tid();
    B.nextBlock();
    for (Operand Pointer : Pointers) {
      B.use({B.emit(InstClass::IMadWide, {Index, Pointer}, 64)});
      B.call();
    }
    if (IsLoop) {
      Loop L;
      L.Header = 1;
      L.Blocks = L.Latches = {1};
      B.Facts.Loops.push_back(L);
      B.Facts.Blocks[1].Loop = 0;
      B.Facts.Blocks[1].Successors.push_back(1);
    }
    return estimateRegisters(B.Facts, RegisterFile());
  };
  EXPECT_EQ(Registers(/*IsLoop=*/true), 32u);
  EXPECT_LT(Registers(/*IsLoop=*/false), 24u);
}

TEST(PressurePeak, PredicatedValuesAreWrittenOverWhatTheyReplace) {
  OneBlock B;
  Operand Sum = B.tid();
  for (unsigned I = 0; I != 4; ++I) {
    Operand Condition = B.emit(InstClass::ISetp, {Sum}, 1, Semantics::Compare);
    B.beginSide(Condition, /*IsPredicated=*/true);
    Operand More = B.emit(InstClass::IAdd3, {Sum});
    B.nextBlock();
    Sum = B.choose(More, Sum);
  }
  B.use({Sum});
  EXPECT_EQ(pressurePeak(B.Facts).Registers, 1u);
}

TEST(PressurePeak, SumsWithConstantsAreComputedAgain) {
  OneBlock B;
  Operand Index = B.tid();
  std::vector<Operand> Sums;
  for (int64_t I = 0; I != 30; ++I)
    Sums.push_back(B.emit(InstClass::IAdd3, {Index, Operand::immediate(I)}, 32,
                          Semantics::Add));
  for (Operand Sum : Sums) {
    B.nextBlock();
    B.use({Sum});
  }
  EXPECT_EQ(pressurePeak(B.Facts).Registers, 1u);
}

TEST(EstimateRegisters, CallsKeepWhatLivesAcrossThemBehindTheirArguments) {
  OneBlock B;
  std::vector<Operand> All;
  for (unsigned I = 0; I != 20; ++I)
    All.push_back(B.tid());
  B.call();
  B.use(All);
  // R16 on and 2 that are never in the code, rounded up to what warps get.
  EXPECT_EQ(estimateRegisters(B.Facts, RegisterFile()), 40u);
}

TEST(PressurePeak, PredicatesAndParametersTakeNoRegister) {
  OneBlock B;
  Operand P = B.emit(InstClass::Ldc, {}, 64, Semantics::Param);
  Operand C = B.emit(InstClass::ISetp, {B.tid()}, 1, Semantics::Compare);
  B.use({P, C});
  EXPECT_EQ(pressurePeak(B.Facts).Registers, 1u);
}

TEST(PressurePeak, MembersOfParametersTakeNoRegister) {
  OneBlock B;
  Operand Parameters =
      B.emit(InstClass::UInt, {}, 64, Semantics::SymbolAddress);
  std::vector<Operand> Members;
  for (unsigned I = 0; I != 4; ++I)
    Members.push_back(B.load(Parameters, MemorySpace::Param));
  // One that is indexed.
  Members.push_back(B.load(B.tid(), MemorySpace::Param));
  B.use(Members);
  EXPECT_EQ(pressurePeak(B.Facts).Registers, 1u);
}

TEST(PressurePeak, FoldedValuesAreReadFromTheirOperands) {
  OneBlock B;
  Operand Wide = B.emit(InstClass::IMadWide, {B.tid()}, 64);
  Operand Folded = B.fold(Wide);
  Operand Value = B.tid();
  B.use({Folded, Value});
  EXPECT_EQ(pressurePeak(B.Facts).Registers, 3u);
}

TEST(PressurePeak, NamesWhatWaitsLongestFirst) {
  OneBlock B;
  Operand Soon = B.tid(), Late = B.tid();
  B.call();
  B.use({B.emit(InstClass::IAdd3, {Soon})});
  B.use({Late});
  PressurePeak Peak = pressurePeak(B.Facts);
  EXPECT_EQ(B.Facts.Operations[Peak.Op].Emits[0].Class, InstClass::Call);
  ASSERT_EQ(Peak.LiveAcross.size(), 2u);
  EXPECT_EQ(Peak.LiveAcross.front(), Late.Index);
}

TEST(RegisterFlow, ValuesThatCrossBlocksAreAliveThere) {
  OneBlock B;
  Operand Wide = B.emit(InstClass::IMadWide, {B.tid()}, 64);
  Operand Here = B.tid();
  B.use({Here});
  B.nextBlock();
  B.use({Wide});
  const RegisterFlow Flow = registerFlow(B.Facts);
  EXPECT_EQ(Flow.words(Flow.LiveIn[0]), 0u);
  EXPECT_EQ(Flow.words(Flow.LiveOut[0]), 2u);
  EXPECT_EQ(Flow.LiveIn[1], Flow.LiveOut[0]);
  const RegisterFlow::Operands &Of = Flow.OfOperation[Wide.Index];
  ASSERT_EQ(Of.Defs.size(), 1u);
  EXPECT_EQ(Flow.MadeBy[Of.Defs[0]], Wide.Index);
}

TEST(RegisterFlow, LoadsAreHeldBackWhereAKernelTakesAllThatCostNoWarps) {
  // sm_90: 32 for 64 warps of an SM.
  const unsigned AtEase = registersAtEase(LaunchBounds(), RegisterFile());
  EXPECT_EQ(AtEase, 32u);
  EXPECT_EQ(registersOfValues(32, AtEase), 28u);
  EXPECT_EQ(registersOfValues(30, AtEase), 28u);
  EXPECT_EQ(registersOfValues(28, AtEase), std::nullopt);
  EXPECT_EQ(registersOfValues(40, AtEase), std::nullopt);
}

TEST(PressurePeak, NothingIsAliveInAnEmptyKernel) {
  EXPECT_EQ(pressurePeak(KernelFacts()).Op, NoIndex);
  EXPECT_EQ(pressurePeak(OneBlock().Facts).Registers, 0u);
}
