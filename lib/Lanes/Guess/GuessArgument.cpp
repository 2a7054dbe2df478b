//===- GuessArgument.cpp - Likely values of arguments by their uses -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include <bit>

using namespace gpuocc;

static Guess guessed(double Value, llvm::StringRef Evidence) {
  Guess G;
  G.Value = Value;
  G.Evidence = Evidence.str();
  return G;
}

/// Starts begin at 0; repetitions are as many as those of a loop that nothing
/// decides; what indices of one dimension are compared with is what the grid
/// covers of it.
std::optional<Guess> gpuocc::guessArgument(const GuessContext &Context,
                                           int64_t Index) {
  if (!Context.Roles || !Context.Launched)
    return std::nullopt;
  auto It = Context.Roles->find(Index);
  if (It == Context.Roles->end())
    return std::nullopt;
  const ParameterRole &Role = It->second;
  const GuessedLaunch &L = *Context.Launched;
  if (Role.IsStart)
    return guessed(0, "it is only added to indices: where they start");
  if (Role.IsCount)
    return guessed(int64_t(L.DefaultTripCount),
                   "it is only compared with the counter of a loop");
  const uint64_t Threads[3] = {L.Grid.X * L.Block.X, L.Grid.Y * L.Block.Y,
                               L.Grid.Z * L.Block.Z};
  if (std::has_single_bit(Role.Dimensions))
    return guessed(double(Threads[std::countr_zero(Role.Dimensions)]),
                   "indices of one dimension of the grid are compared with it");
  return std::nullopt;
}
