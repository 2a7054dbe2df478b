//===- GuessTripCount.cpp - How often loops repeat that nothing decides ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"

using namespace gpuocc;

std::optional<Guess> gpuocc::guessTripCount(const GuessContext &Context,
                                            int64_t /*Index*/) {
  if (!Context.Launched)
    return std::nullopt;
  Guess G;
  G.Value = Context.Launched->DefaultTripCount;
  G.Evidence = "data ends it, and loops repeat more than once";
  return G;
}
