//===- BlockTurnover.h - Block slots that wait for their next block -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BLOCKTURNOVER_H
#define GPUOCC_LIB_MODEL_BLOCKTURNOVER_H

#include "Saturation.h"

namespace gpuocc {

/// Throughput of block slots that go round between a block's life and the queue
/// at the unit that starts blocks, which serves one block of an SM every
/// block_launch_cycles_per_block_sm. Kernels of short blocks lose occupancy to
/// that queue long before it is the bound.
///
/// Source: mean value analysis of a closed network of one delay and one
/// exponential server (Reiser and Lavenberg 1980); the service time is
/// measured by calibration.
class BlockTurnover {
public:
  BlockTurnover(const Saturation &Throughput, unsigned WarpsPerBlock,
                Numbers &N);

  /// Warps per cycle and SM with \p Warps resident or waiting to start, when
  /// ended blocks are replaced.
  double warpsPerCycle(double Warps) const;

private:
  const Saturation &Throughput;
  unsigned WarpsPerBlock;
  /// SM cycles between block starts; 0 if unknown.
  double LaunchCycles;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BLOCKTURNOVER_H
