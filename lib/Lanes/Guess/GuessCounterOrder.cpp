//===- GuessCounterOrder.cpp - Numbers that counters hand out -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/FollowedMemory.h"
#include "Guess/Guessers.h"

using namespace gpuocc;

std::optional<Guess> gpuocc::guessCounterOrder(const GuessContext &Context,
                                               int64_t Index) {
  if (!isCounter(Context.Facts, Context.Facts.Accesses[size_t(Index)]))
    return std::nullopt;
  Guess G;
  G.Evidence = "warps start in the order of their numbers";
  return G;
}
