//===- SwapTurns.cpp - Which lanes' compare-and-swaps take place ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/SwapTurns.h"
#include <cmath>

using namespace gpuocc;

/// The lanes of \p Lanes that \p E leads to the address of the first of them.
static LaneMask lanesOnFirst(const AccessEvent &E, LaneMask Lanes) {
  const uint64_t Address = E.Address->lane(unsigned(std::countr_zero(Lanes)));
  LaneMask Same = 0;
  for (LaneMask Left = Lanes; Left; Left &= Left - 1)
    if (E.Address->lane(unsigned(std::countr_zero(Left))) == Address)
      Same |= Left & (0 - Left);
  return Same;
}

bool SwapTurns::begin(const AccessEvent &E, WalkMemory &Memory) {
  Turns &T = Of[E.Access];
  ++T.Begun;
  bool LosesTurns = false;
  for (LaneMask Left = E.Active; Left;) {
    LaneMask Same = lanesOnFirst(E, Left);
    Left &= ~Same;
    const double Lanes = numLanes(Same);
    const double Before = Memory.noteSwap(
        E.Access, T.Begun, E.Address->lane(unsigned(std::countr_zero(Same))),
        Alike);
    // Those that were walked before are half of all others.
    const double PerSuccess =
        1 + 2 * LostToOther * Before * Lanes / (Lanes + 1);
    LosesTurns |= PerSuccess > 1;
    for (unsigned Rank = 1; Same; Same &= Same - 1, ++Rank)
      T.Done[unsigned(std::countr_zero(Same))] =
          uint64_t(std::llround(Rank * PerSuccess));
  }
  return LosesTurns;
}
