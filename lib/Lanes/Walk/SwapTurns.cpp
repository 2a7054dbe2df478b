//===- SwapTurns.cpp - Which lanes' compare-and-swaps take place ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/SwapTurns.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Heuristic: turns that a warp waits for a load from DRAM. Evidence: of lanes
/// that each have a word a turn takes an H200 some 100 cycles (swap-turns.csv
/// of the calibration's results), a load under way with others some 900.
static constexpr double TurnsOfLoad = 9;

/// Does a loop around the one in which the swap \p Access is tried load from
/// global memory?
static bool loadsBetween(const KernelFacts &Facts, uint32_t Access) {
  if (!isRetriedSwap(Facts, Access))
    return false;
  const uint32_t Retry =
      Facts.Blocks[Facts.Operations[Facts.Accesses[Access].Op].Block].Loop;
  const uint32_t Around = Facts.Loops[Retry].Parent;
  return Around < Facts.Loops.size() &&
         any_of(
             Facts.Accesses,
             [&](const MemoryAccess &A) {
               return A.Kind == AccessKind::Load &&
                      (A.Space == MemorySpace::Global ||
                       A.Space == MemorySpace::Generic) &&
                      A.Op < Facts.Operations.size() &&
                      is_contained(Facts.Loops[Around].Blocks,
                                   Facts.Operations[A.Op].Block);
             });
}

SwapTurns::SwapTurns(const KernelFacts &Facts, double Lost)
    : LostToOther(Lost), Away(Facts.Accesses.size()),
      Of(Facts.Accesses.size()) {
  for (uint32_t I = 0; I < Facts.Accesses.size(); ++I)
    if (Facts.Accesses[I].AtomicOp == "cas" && loadsBetween(Facts, I))
      Away[I] = TurnsOfLoad;
}

/// Turns of \p Lanes lanes of a warp on a word, if one takes 1 + \p Lost turns
/// while others are there all of the time, and they are \p Away for so many:
/// S = Lanes (1 + Lost S / (S + Away)).
static double turnsOf(double Lanes, double Lost, double Away) {
  const double B = Away - Lanes * (1 + Lost);
  return (std::sqrt(B * B + 4 * Lanes * Away) - B) / 2;
}

/// The lanes of \p Lanes that \p E leads to the address of the first of them.
static LaneMask lanesOnFirst(const AccessEvent &E, LaneMask Lanes) {
  const uint64_t Address = E.Address->lane(unsigned(std::countr_zero(Lanes)));
  LaneMask Same = 0;
  for (LaneMask Left = Lanes; Left; Left &= Left - 1)
    if (E.Address->lane(unsigned(std::countr_zero(Left))) == Address)
      Same |= Left & (0 - Left);
  return Same;
}

bool SwapTurns::begin(const AccessEvent &E, WalkMemory &Memory,
                      unsigned Warps) {
  Turns &T = Of[E.Access];
  ++T.Begun;
  bool LosesTurns = false;
  for (LaneMask Left = E.Active; Left;) {
    LaneMask Same = lanesOnFirst(E, Left);
    Left &= ~Same;
    const double Lanes = numLanes(Same);
    const double Others = Memory.noteSwap(
        E.Access, T.Begun, E.Address->lane(unsigned(std::countr_zero(Same))),
        Alike, Warps);
    const double Lost = LostToOther * Others * Lanes / (Lanes + 1);
    const double PerSuccess = turnsOf(Lanes, Lost, Away[E.Access]) / Lanes;
    LosesTurns |= PerSuccess > 1;
    for (unsigned Rank = 1; Same; Same &= Same - 1, ++Rank)
      T.Done[unsigned(std::countr_zero(Same))] =
          uint64_t(std::llround(Rank * PerSuccess));
  }
  return LosesTurns;
}
