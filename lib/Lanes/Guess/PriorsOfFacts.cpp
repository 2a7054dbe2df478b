//===- PriorsOfFacts.cpp - Guesses that readers wrote into facts ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"

using namespace gpuocc;

/// What the facts of branch \p Index say, if \p By does.
static std::optional<Guess> priorOf(const GuessContext &Context, int64_t Index,
                                    Mechanism By) {
  const Branch &B = Context.Facts.Branches[size_t(Index)];
  if (B.TakenPrior == Branch().TakenPrior || B.PriorBy != By)
    return std::nullopt;
  Guess G;
  G.Value = B.TakenPrior;
  G.Evidence = B.PriorReason;
  return G;
}

std::optional<Guess> gpuocc::guessTrap(const GuessContext &Context,
                                       int64_t Index) {
  return priorOf(Context, Index, Mechanism::TrapProbability);
}

std::optional<Guess> gpuocc::guessRecord(const GuessContext &Context,
                                         int64_t Index) {
  return priorOf(Context, Index, Mechanism::RecordProbability);
}
