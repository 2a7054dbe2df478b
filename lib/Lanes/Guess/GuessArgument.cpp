//===- GuessArgument.cpp - Likely values of arguments by their uses -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

using namespace gpuocc;

static Guess guessed(double Value, llvm::StringRef Evidence) {
  Guess G;
  G.Value = Value;
  G.Evidence = Evidence.str();
  return G;
}

/// The smallest argument for which all comparisons of \p Role with indices hold
/// in the last block of \p L; nothing where no index is known.
static std::optional<int64_t> boundOfIndices(const ParameterRole &Role,
                                             const GuessedLaunch &L) {
  std::optional<int64_t> Bound;
  for (const BoundedIndex &B : Role.Bounded) {
    const IndexRange *Range = L.rangeOf(B.Index);
    if (!Range)
      continue;
    const int64_t Least = Range->end() - (B.OrEqual ? 1 : 0) - B.Addend;
    Bound = std::max({int64_t(1), Least, Bound ? *Bound : Least});
  }
  return Bound;
}

/// The distance of \p Rows rows, at most \p Most elements. Offsets of rows,
/// which are often computed in 32 bits, have room to be some times as large; a
/// row begins where a line does, and rows are spread over the channels of DRAM.
static double pitchOf(int64_t Rows, int64_t Most) {
  constexpr int64_t MostOffset = INT32_MAX / 10, Line = 32;
  const int64_t Pitch = std::min(std::max<int64_t>(1, Most),
                                 MostOffset / std::max<int64_t>(1, Rows));
  return double(Pitch < Line ? 1 : ((Pitch / Line - 1) | 1) * Line);
}

/// Starts begin at 0; repetitions are as many as those of a loop that nothing
/// decides; what indices are compared with is what the grid reaches of it; the
/// distance of neighbours is one element; what is multiplied in 32 bits fits.
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
  if (const std::optional<int64_t> Bound = boundOfIndices(Role, L))
    return guessed(double(*Bound), "indices of the grid reach up to it");
  const uint64_t Threads[3] = {L.Grid.X * L.Block.X, L.Grid.Y * L.Block.Y,
                               L.Grid.Z * L.Block.Z};
  if (std::has_single_bit(Role.Dimensions))
    return guessed(double(Threads[std::countr_zero(Role.Dimensions)]),
                   "indices of one dimension of the grid are compared with it");
  if (Role.IsScale)
    return guessed(1, "it is the distance of neighbours");
  if (Role.PitchOf != NoIndex)
    if (const IndexRange *Rows = L.rangeOf(Role.PitchOf))
      return guessed(pitchOf(Rows->end(), L.DefaultArgument),
                     "it is the distance of rows");
  if (Role.Multiplied > 1)
    return guessed(std::min(double(L.DefaultArgument),
                            std::exp2(std::floor(30.0 / Role.Multiplied))),
                   "32 bits hold its product with other arguments");
  return std::nullopt;
}
