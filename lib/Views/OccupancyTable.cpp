//===- OccupancyTable.cpp - Blocks that single resources allow ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OccupancyTable.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"

using namespace gpuocc;
using namespace llvm;

/// What \p Limiter allows \p Block.
static json::Value blocksBy(OccupancyLimiter Limiter, const ArchLimits &Limits,
                            const BlockResources &Block) {
  std::optional<unsigned> Blocks = occupancy(Limits, Block).blockLimit(Limiter);
  return Blocks ? json::Value(*Blocks) : nullptr;
}

/// Multiples of \p Step up to \p Last, and \p Present among them.
static std::vector<unsigned> steps(unsigned Step, unsigned Last,
                                   unsigned Present) {
  std::vector<unsigned> Out;
  for (unsigned Next = Step; Next <= Last; Next += Step) {
    if (Present < Next && (Out.empty() || Out.back() < Present))
      Out.push_back(Present);
    Out.push_back(Next);
  }
  return Out;
}

json::Value gpuocc::occupancyTable(const KernelReport &K) {
  Expected<const ArchLimits &> Limits = archLimits(K.Facts.Architecture);
  if (!Limits) {
    consumeError(Limits.takeError());
    return nullptr;
  }
  const BlockResources Present = blockResources(K.Facts, K.Launched);
  if (occupancy(*Limits, Present).BlocksPerSm == 0)
    return nullptr;
  auto With = [&](auto Change) {
    BlockResources Block = Present;
    Change(Block);
    return Block;
  };
  std::vector<unsigned> Threads = steps(32, 1024, Present.Threads);
  std::vector<unsigned> Registers = steps(8, 255, Present.RegistersPerThread);
  std::vector<unsigned> Shared =
      steps(1024, Limits->SharedBytesPerBlockOptin.value_or(0),
            unsigned(Present.sharedBytes()));
  json::Array ByWarps, ByRegisters, ByShared;
  for (unsigned T : Threads) {
    ByWarps.push_back(blocksBy(OccupancyLimiter::Warps, *Limits,
                               With([&](auto &B) { B.Threads = T; })));
    json::Array Row;
    for (unsigned R : Registers)
      Row.push_back(
          blocksBy(OccupancyLimiter::Registers, *Limits, With([&](auto &B) {
                     B.Threads = T;
                     B.RegistersPerThread = R;
                   })));
    ByRegisters.push_back(std::move(Row));
  }
  for (unsigned S : Shared)
    ByShared.push_back(
        blocksBy(OccupancyLimiter::Shared, *Limits, With([&](auto &B) {
                   B.StaticSharedBytes = S;
                   B.DynamicSharedBytes = 0;
                 })));
  return json::Object{
      {"threads", json::Array(Threads)},
      {"registers", json::Array(Registers)},
      {"shared_bytes", json::Array(Shared)},
      {"by_warps", std::move(ByWarps)},
      {"by_registers", std::move(ByRegisters)},
      {"by_shared", std::move(ByShared)},
      {"blocks", blocksBy(OccupancyLimiter::Blocks, *Limits, Present)}};
}
