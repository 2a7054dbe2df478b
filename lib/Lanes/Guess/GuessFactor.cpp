//===- GuessFactor.cpp - Arguments whose product is an extent -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

/// The factors of an extent that the grid covers: powers of two about alike,
/// but the last, which makes up for the rest. Each as large as the grid would
/// make a product beyond what 32 bits hold.
std::optional<Guess> gpuocc::guessFactor(const GuessContext &Context,
                                         int64_t Index) {
  if (!Context.Roles || !Context.Launched)
    return std::nullopt;
  auto It = Context.Roles->find(Index);
  if (It == Context.Roles->end() || It->second.Factors < 2)
    return std::nullopt;
  const ParameterRole &Role = It->second;
  const GuessedLaunch &L = *Context.Launched;
  const uint64_t Threads[3] = {L.Grid.X * L.Block.X, L.Grid.Y * L.Block.Y,
                               L.Grid.Z * L.Block.Z};
  double Extent = 1;
  for (unsigned D = 0; D != 3; ++D)
    if ((Role.FactorDimensions >> D) & 1)
      Extent *= double(Threads[D]);
  if (const IndexRange *Range = L.rangeOf(Role.FactorIndex))
    Extent = std::max(1.0, double(Range->end()));
  const double Each =
      std::exp2(std::ceil(std::log2(Extent) / Role.Factors - 1e-9));
  double Value = Each, Others = 1;
  for (unsigned I = 0; I <= Role.FactorNumber; ++I) {
    Value = I + 1 == Role.Factors ? std::ceil(Extent / Others)
                                  : std::min(Each, std::ceil(Extent / Others));
    Others *= Value;
  }
  Guess G;
  G.Value = std::max(1.0, Value);
  G.Evidence =
      "indices of the grid are compared with a product of it and other "
      "arguments";
  return G;
}
