//===- QueuedCalls.cpp - Calls that wait for one another ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/QueuedCalls.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;

namespace {

/// Numbers of one function.
struct QueueNumbers {
  /// Of the chip, for a warp that calls with one lane, and for each further
  /// lane.
  Quantity Warp, Lane;
  /// Of the warp that calls, for each further lane.
  Quantity Latency;
};

} // namespace

static constexpr QueueNumbers NumbersOf[NumQueuedFunctions] = {
    {Quantity::PrintfQueue, Quantity::PrintfQueueLane, Quantity::PrintfLane},
    {Quantity::MallocQueue, Quantity::MallocQueueLane, Quantity::MallocLane},
    {Quantity::FreeQueue, Quantity::FreeQueueLane, Quantity::FreeLane}};

/// Active lanes of \p Block beside the first.
static double furtherLanes(const BlockProfile &Block) {
  constexpr double WarpLanes = 32;
  return std::max(0.0, WarpLanes * Block.ActiveLaneFraction - 1);
}

/// Nobody waits where nothing was measured.
static double cycles(Quantity Q, Numbers &N) {
  const std::optional<double> Measured = N.device().get(Q);
  return Measured ? *Measured : 0;
}

double gpuocc::queueCycles(const Operation &Op, const BlockProfile &Block,
                           Numbers &N) {
  double Cycles = 0;
  for (const QueuedCall &C : Op.Queued) {
    const QueueNumbers &Of = NumbersOf[size_t(C.Function)];
    Cycles += C.Count *
              (cycles(Of.Warp, N) + furtherLanes(Block) * cycles(Of.Lane, N));
  }
  return Cycles;
}

double gpuocc::furtherLanesCycles(const Operation &Op,
                                  const BlockProfile &Block, Numbers &N) {
  double Cycles = 0;
  for (const QueuedCall &C : Op.Queued)
    Cycles += C.Count * furtherLanes(Block) *
              cycles(NumbersOf[size_t(C.Function)].Latency, N);
  return Cycles;
}
