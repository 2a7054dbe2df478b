//===- GuessProbeTurns.cpp - How long a place in a table is looked for ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include "gpuocc/Kernel/ProbedTables.h"
#include <cmath>

using namespace gpuocc;

/// Turns of a warp each of whose lanes finds a place taken with the chance
/// \p Taken, whichever it looks at: the mean of the largest of 32 numbers that
/// are distributed geometrically.
static double turnsOfWarp(double Taken) {
  constexpr double LanesPerWarp = 32, Negligible = 1e-3;
  double Turns = 0, GoesOn = 1;
  for (double Chance = 1; GoesOn > Negligible; Chance *= Taken) {
    GoesOn = 1 - std::pow(1 - Chance, LanesPerWarp);
    Turns += GoesOn;
  }
  return Turns;
}

/// Heuristic: a table is half full when all keys are in it, and a quarter in
/// the mean while they are put there. Lanes are spread from one turn to twice
/// the guess.
std::optional<Guess> gpuocc::guessProbeTurns(const GuessContext &Context,
                                             int64_t Index) {
  constexpr double Full = 0.5;
  if (size_t(Index) >= Context.Facts.Loops.size())
    return std::nullopt;
  const TableProbe Looks =
      tableProbe(Context.Facts, Context.Facts.Loops[Index]);
  if (Looks == TableProbe::None)
    return std::nullopt;
  Guess G;
  G.Value = turnsOfWarp(Looks == TableProbe::Insert ? Full / 2 : Full) / 2;
  G.Evidence = "it looks for a place in a table, of which half is taken to be "
               "full in the end";
  return G;
}
