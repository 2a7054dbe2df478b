//===- GuessPollTurns.cpp - How often loops poll --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include "gpuocc/Kernel/PolledLoops.h"

using namespace gpuocc;

/// Heuristic: what is waited for is there. How long blocks that look back wait
/// for those before them is for the model to say (Model/Grid/LookBack.h), which
/// knows how many run at a time.
std::optional<Guess> gpuocc::guessPollTurns(const GuessContext &Context,
                                            int64_t Index) {
  if (size_t(Index) >= Context.Facts.Loops.size())
    return std::nullopt;
  const Loop &L = Context.Facts.Loops[Index];
  Guess G;
  G.Value = 1;
  if (pollsOneWord(Context.Facts, L))
    G.Evidence =
        "it polls a word that others write, which is taken to be written "
        "before";
  else if (lookBackLoop(Context.Facts, L))
    G.Evidence = "it looks back through what other blocks write, who are taken "
                 "to have summed up what is before them";
  else
    return std::nullopt;
  return G;
}
