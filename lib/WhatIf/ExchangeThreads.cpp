//===- ExchangeThreads.cpp - x and y of threads exchanged -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ExchangeThreads.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

static SpecialReg exchanged(SpecialReg R) {
  switch (R) {
  case SpecialReg::TidX:
    return SpecialReg::TidY;
  case SpecialReg::TidY:
    return SpecialReg::TidX;
  case SpecialReg::NTidX:
    return SpecialReg::NTidY;
  case SpecialReg::NTidY:
    return SpecialReg::NTidX;
  case SpecialReg::CtaIdX:
    return SpecialReg::CtaIdY;
  case SpecialReg::CtaIdY:
    return SpecialReg::CtaIdX;
  case SpecialReg::NCtaIdX:
    return SpecialReg::NCtaIdY;
  case SpecialReg::NCtaIdY:
    return SpecialReg::NCtaIdX;
  default:
    return R;
  }
}

/// What is done along x is done along y, by blocks of the same extents where
/// the kernel takes any.
static Error exchangeLaunch(const KernelFacts &Facts, Launch &L) {
  Dim3 &Block = L.Block.Value;
  const Dim3 Own = Block;
  if (!readsRegister(Facts, SpecialReg::NTidX) ||
      !readsRegister(Facts, SpecialReg::NTidY))
    std::swap(Block.X, Block.Y);
  if (!L.Grid)
    return Error::success();
  constexpr uint64_t MostBlocksAlongY = 65535;
  Sourced<Dim3> Grid = *L.Grid;
  const Dim3 Blocks = Grid.Value;
  Grid.Value.X = (Blocks.Y * Own.Y + Block.X - 1) / Block.X;
  Grid.Value.Y = (Blocks.X * Own.X + Block.Y - 1) / Block.Y;
  if (Grid.Value.Y > MostBlocksAlongY)
    return createStringError("a grid has no more than 65535 blocks along y");
  L.Grid = std::move(Grid);
  return Error::success();
}

Change gpuocc::exchangeThreads() {
  return {ChangeKind::ExchangeThreads,
          [](KernelVariant V) -> Expected<KernelVariant> {
            if (V.Launched.Block.Value.Y == 1)
              return createStringError("blocks have one row");
            if (!readsRegister(V.Facts, SpecialReg::TidX) ||
                !readsRegister(V.Facts, SpecialReg::TidY))
              return createStringError("threads do not read x and y");
            if (!hasIndependentThreads(V.Facts, V.Launched) ||
                readsRegister(V.Facts, SpecialReg::LaneId))
              return createStringError("threads work together");
            if (Error E = exchangeLaunch(V.Facts, V.Launched))
              return std::move(E);
            for (Operation &Op : V.Facts.Operations)
              Op.SReg = exchanged(Op.SReg);
            return V;
          }};
}
