//===- SwapContention.cpp - Loops of compare-and-swap ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/SwapContention.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// True if \p Block lies in \p Loop or in a loop of it.
static bool isInLoop(const KernelFacts &Facts, uint32_t Block, uint32_t Loop) {
  return is_contained(Facts.Loops[Loop].Blocks, Block);
}

/// Lanes of a warp that enter \p Loop, over all times that it does.
static double lanesThatEnter(const KernelFacts &Facts, uint32_t Loop,
                             const ExecutionProfile &Profile) {
  constexpr double WarpLanes = 32;
  double Most = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
    if (!isInLoop(Facts, B, Loop) &&
        any_of(Facts.Blocks[B].Successors,
               [&](uint32_t To) { return isInLoop(Facts, To, Loop); }))
      Most =
          std::max(Most, Profile.Blocks[B].ExecutionsPerWarp *
                             Profile.Blocks[B].ActiveLaneFraction * WarpLanes);
  return Most;
}

/// Words that the blocks that run together swap: all of their sectors where
/// these lie side by side, else one in each.
static double wordsOf(const MemoryAccess &A, const AccessProfile &P,
                      Numbers &N) {
  constexpr double MostOfIt = 0.5;
  const bool IsWave = N.has(Mechanism::HotLines) && P.WaveSectors &&
                      P.WaveSpanBytes && *P.WaveSectors < *P.GridSectors;
  const double Sectors = IsWave ? *P.WaveSectors : *P.GridSectors;
  const double Span = IsWave ? *P.WaveSpanBytes : P.GridSpanBytes.valueOr(0);
  const bool AreSideBySide = Sectors * N.sectorBytes() > MostOfIt * Span;
  const double InSector = AreSideBySide ? N.sectorBytes() / A.BytesPerLane : 1;
  return std::max(1.0, Sectors * InSector);
}

SwapContention gpuocc::swapContention(const KernelFacts &Facts, uint32_t Index,
                                      const ExecutionProfile &Profile,
                                      double WarpsPerSm, Numbers &N) {
  const MemoryAccess &A = Facts.Accesses[Index];
  const AccessProfile &P = Profile.Accesses[Index];
  const uint32_t Loop = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
  if (A.AtomicOp != "cas" || A.Space == MemorySpace::Shared || !P.GridSectors ||
      *P.GridSectors <= 0 || !isRetriedSwap(Facts, Index))
    return {};
  const double Lanes = lanesThatEnter(Facts, Loop, Profile);
  const double Tries = P.RequestsPerWarp * P.ActiveLanes;
  if (Lanes <= 0 || Tries <= 0)
    return {};
  constexpr double WinsPerLog = 0.3, LanesThatTry = 0.5;
  const double Words = wordsOf(A, P, N);
  const double OnWord = N.smCount() * WarpsPerSm * Lanes / Words;
  const double WinsOfRound =
      std::max(1.0, WinsPerLog * std::log(std::max(1.0, OnWord)));
  SwapContention Out;
  Out.TimesRequests =
      std::max(1.0, LanesThatTry / WinsOfRound * OnWord * Lanes / Tries);
  if (const std::optional<double> RoundTrip =
          N.device().get(Quantity::AtomicGlobalLatency);
      RoundTrip && OnWord * LanesThatTry > WinsOfRound)
    Out.HandOverCycles = Lanes * N.smCount() * *RoundTrip / WinsOfRound / Words;
  return Out;
}
