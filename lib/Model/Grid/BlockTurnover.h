//===- BlockTurnover.h - Block slots that wait for a block ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_BLOCKTURNOVER_H
#define GPUOCC_LIB_MODEL_GRID_BLOCKTURNOVER_H

#include "Throughput/Saturation.h"

namespace gpuocc {

/// Throughput of block slots that go round between a block's life and the queue
/// at the unit that starts blocks. All SMs share it: it serves one of their
/// blocks every block_launch_cycles_per_block_sm / number of SMs, so that slots
/// hardly queue below its bound (an H200 replaces blocks that live 1500 cycles
/// as fast with 8 slots an SM as with one, and is at the bound with 16).
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
  double Sms;
  /// SM cycles between block starts; 0 if unknown.
  double LaunchCycles;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_BLOCKTURNOVER_H
