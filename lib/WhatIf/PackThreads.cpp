//===- PackThreads.cpp - Small blocks as lanes of large ones --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/PackThreads.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

static bool areRowsOfFew(const Launch &L) {
  constexpr uint64_t LanesPerWarp = 32;
  const Dim3 &Block = L.Block.Value;
  return Block.Y == 1 && Block.Z == 1 && Block.X < LanesPerWarp &&
         isPowerOf2_64(Block.X) && L.Cluster.count() == 1;
}

namespace {

/// Writes what the old block and the old thread are in terms of the new ones.
class Packer {
public:
  Packer(KernelVariant &V, unsigned Threads)
      : V(V), Own(V.Launched.Block.Value.X), Threads(Threads) {}

  void run() {
    const size_t Read = V.Facts.Operations.size();
    for (uint32_t I = 0; I != Read; ++I)
      switch (V.Facts.Operations[I].SReg) {
      case SpecialReg::CtaIdX:
        replaceBlock(I);
        break;
      case SpecialReg::TidX:
        if (Own != 1)
          replace(I, add(I, Semantics::And, InstClass::Lop3,
                         {Operand::value(I), Operand::immediate(Own - 1)}));
        else
          makeConstant(I, 0);
        break;
      case SpecialReg::NTidX:
        makeConstant(I, Own);
        break;
      case SpecialReg::NCtaIdX:
        if (V.Launched.Grid)
          makeConstant(I, V.Launched.Grid->Value.X);
        break;
      default:
        break;
      }
    moveOperations(V, Moves);
    changeLaunch();
  }

private:
  KernelVariant &V;
  const uint64_t Own;
  const unsigned Threads;
  std::vector<MoveOperation> Moves;

  /// A new operation in the block of \p Beside.
  uint32_t add(uint32_t Beside, Semantics What, InstClass Class,
               SmallVector<Operand, 3> Operands) {
    Operation New;
    New.Opcode = "packed";
    New.What = What;
    New.Emits = {{Class, 1, 1}};
    New.Operands = std::move(Operands);
    New.Block = V.Facts.Operations[Beside].Block;
    New.Location = V.Facts.Operations[Beside].Location;
    V.Facts.Operations.push_back(std::move(New));
    return uint32_t(V.Facts.Operations.size()) - 1;
  }

  /// Lets what read \p Old read \p New, which reads \p Old itself.
  void replace(uint32_t Old, uint32_t New) {
    const SmallVector<Operand, 3> Reads = V.Facts.Operations[New].Operands;
    replaceUses(V.Facts, Old, Operand::value(New));
    V.Facts.Operations[New].Operands = Reads;
    move(Old);
    move(New);
  }

  void move(uint32_t Op) {
    Moves.push_back({Op, V.Facts.Operations[Op].Block, /*ToBegin=*/true});
  }

  void makeConstant(uint32_t I, uint64_t Value) {
    Operation &Op = V.Facts.Operations[I];
    Op.What = Semantics::Copy;
    Op.SReg = SpecialReg::None;
    Op.Operands = {Operand::immediate(int64_t(Value))};
  }

  /// The old block: block * (Threads / Own) + thread / Own.
  void replaceBlock(uint32_t I) {
    const uint32_t Thread = add(I, Semantics::SReg, InstClass::S2R, {});
    V.Facts.Operations[Thread].SReg = SpecialReg::TidX;
    move(Thread);
    uint32_t Which = Thread;
    if (Own != 1) {
      Which = add(I, Semantics::ShrU, InstClass::Shf,
                  {Operand::value(Thread), Operand::immediate(Log2_64(Own))});
      move(Which);
    }
    replace(I, add(I, Semantics::Mad, InstClass::IMad,
                   {Operand::value(I), Operand::immediate(Threads / Own),
                    Operand::value(Which)}));
  }

  void changeLaunch() {
    Launch &L = V.Launched;
    L.Block.Value.X = Threads;
    if (!L.Grid)
      return;
    const uint64_t Blocks = Threads / Own;
    Sourced<Dim3> Grid = *L.Grid;
    Grid.Value.X = (Grid.Value.X + Blocks - 1) / Blocks;
    L.Grid = std::move(Grid);
  }
};

} // namespace

Change gpuocc::packThreads(unsigned Threads) {
  return {ChangeKind::PackThreads,
          [Threads](KernelVariant V) -> Expected<KernelVariant> {
            if (!areRowsOfFew(V.Launched))
              return createStringError("blocks are no short rows");
            if (!hasIndependentThreads(V.Facts, V.Launched) ||
                readsRegister(V.Facts, SpecialReg::LaneId))
              return createStringError("threads work together");
            if (!readsRegister(V.Facts, SpecialReg::CtaIdX))
              return createStringError("blocks do not tell their index apart");
            Packer(V, Threads).run();
            return V;
          }};
}

/// True if one thread of a block of \p V is all that writes, once.
static bool writesOneValue(const KernelVariant &V) {
  constexpr double AboutOne = 1.01;
  double Lanes = 0;
  for (const auto &[A, P] : zip(V.Facts.Accesses, V.Profile.Accesses))
    if (A.Space != MemorySpace::Shared && A.Kind != AccessKind::Load)
      Lanes += P.RequestsPerWarp * P.ActiveLanes;
  Lanes *= double(V.Launched.warpsPerBlock());
  return Lanes > 0 && Lanes <= AboutOne;
}

/// True if \p Op is an access of shared memory.
static bool isShared(const KernelFacts &Facts, const Operation &Op) {
  return Op.Access != NoIndex &&
         Facts.Accesses[Op.Access].Space == MemorySpace::Shared;
}

/// Why a thread cannot take the place of a block of \p V; empty where it can.
static StringRef whyNotAlone(const KernelVariant &V) {
  constexpr uint64_t LanesPerWarp = 32;
  const Dim3 &Block = V.Launched.Block.Value;
  if (Block.Y != 1 || Block.Z != 1 || Block.X % LanesPerWarp != 0 ||
      V.Launched.Cluster.count() != 1 || V.Facts.Bounds.RequiredBlock[0] != 0)
    return "blocks are no rows of whole warps";
  if (!readsRegister(V.Facts, SpecialReg::NTidX) ||
      !readsRegister(V.Facts, SpecialReg::CtaIdX) ||
      readsRegister(V.Facts, SpecialReg::LaneId))
    return "blocks do not read their extent and index";
  if (none_of(V.Facts.Operations, worksTogether))
    return "threads do not work together";
  if (!writesOneValue(V))
    return "a block writes more than one value";
  return "";
}

/// A loop that steps by the extent of the block goes on to step by one:
/// compilers unroll it then, so that several loads are under way.
static void unrollStrides(KernelVariant &V) {
  constexpr unsigned Unrolled = 4;
  for (uint32_t L = 0; L != V.Facts.Loops.size(); ++L) {
    const gpuocc::Loop &Of = V.Facts.Loops[L];
    if (Of.UnrolledBy > 1 || any_of(V.Facts.Loops, [&](const auto &Inner) {
          return Inner.Parent == L;
        }))
      continue;
    for (const MemoryAccess &A : V.Facts.Accesses)
      if (isInArrays(A.Space) && A.Kind == AccessKind::Load &&
          is_contained(Of.Blocks, V.Facts.Operations[A.Op].Block))
        for (Emission &E : V.Facts.Operations[A.Op].Emits)
          E.OnPath /= Unrolled;
    unrollLoop(V, L, Unrolled);
  }
}

Change gpuocc::threadForBlock(unsigned Threads) {
  return {ChangeKind::ThreadForBlock,
          [Threads](KernelVariant V) -> Expected<KernelVariant> {
            if (StringRef Why = whyNotAlone(V); !Why.empty())
              return createStringError(Why);
            SmallVector<uint32_t, 16> Together;
            for (const auto &[I, Op] : enumerate(V.Facts.Operations))
              if (worksTogether(Op) || isShared(V.Facts, Op))
                Together.push_back(uint32_t(I));
            dropOperations(V, Together);
            unrollStrides(V);
            V.Facts.StaticSharedBytes = 0;
            V.Launched.DynamicSharedBytes.Value = 0;
            V.Launched.Block.Value.X = 1;
            Packer(V, Threads).run();
            return V;
          }};
}
