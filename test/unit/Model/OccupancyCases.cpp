//===- OccupancyCases.cpp - Configurations to compare occupancy on --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OccupancyCases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Uniform in [0, Bound).
static uint64_t below(uint64_t Bound, std::mt19937_64 &Random) {
  return Random() % Bound;
}

static uint64_t randomShared(uint64_t Most, std::mt19937_64 &Random) {
  switch (below(4, Random)) {
  case 0:
    return 0;
  case 1: // Near a multiple of the allocation units.
    return 128 * below(Most / 128 + 2, Random) + below(3, Random);
  case 2: // Near what whole numbers of blocks divide an SM into.
    return Most / (1 + below(32, Random)) + below(3, Random);
  default:
    return below(Most + 2000, Random);
  }
}

BlockResources gpuocc::randomBlock(const ArchLimits &Limits,
                                   std::mt19937_64 &Random) {
  BlockResources Block;
  // Three quarters are launches that could be somebody's, the rest the whole
  // range and a little more.
  bool Ordinary = below(4, Random) != 0;
  uint64_t MostWarps = Ordinary ? 16 : 33;
  Block.Threads = below(2, Random) ? 32 * (1 + below(MostWarps, Random))
                                   : 1 + below(32 * MostWarps + 32, Random);
  Block.RegistersPerThread = below(Ordinary ? 96 : 258, Random);
  Block.StaticSharedBytes = randomShared(Ordinary ? 24576 : 49152, Random);
  uint64_t MostDynamic = Ordinary ? 32768 : *Limits.SharedBytesPerSm;
  Block.DynamicSharedBytes =
      below(2, Random) ? 0 : randomShared(MostDynamic, Random);
  Block.Barriers = below(3, Random) ? 1 : below(Ordinary ? 5 : 18, Random);
  if (below(2, Random))
    Block.CarveoutPercent = below(101, Random);
  Block.OptIn = below(3, Random) ? SharedOptIn::Yes : SharedOptIn::No;
  return Block;
}

static std::string text(std::optional<unsigned> Value) {
  return Value ? std::to_string(*Value) : std::string();
}

std::string gpuocc::inputFields(const ArchLimits &Limits,
                                const BlockResources &Block) {
  return join(
      ArrayRef<std::string>{Limits.Name, std::to_string(Block.Threads),
                            std::to_string(Block.RegistersPerThread),
                            std::to_string(Block.StaticSharedBytes),
                            std::to_string(Block.DynamicSharedBytes),
                            std::to_string(Block.Barriers),
                            text(Block.CarveoutPercent),
                            Block.OptIn == SharedOptIn::Yes ? "1" : "0"},
      ",");
}

std::string gpuocc::resultFields(const Occupancy &O) {
  return join(
      ArrayRef<std::string>{std::to_string(O.BlocksPerSm),
                            text(O.blockLimit(OccupancyLimiter::Warps)),
                            text(O.blockLimit(OccupancyLimiter::Blocks)),
                            text(O.blockLimit(OccupancyLimiter::Registers)),
                            text(O.blockLimit(OccupancyLimiter::Shared)),
                            text(O.blockLimit(OccupancyLimiter::Barriers))},
      ",");
}
