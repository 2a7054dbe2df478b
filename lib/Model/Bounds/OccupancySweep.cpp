//===- OccupancySweep.cpp - Occupancy over one resource -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/OccupancySweep.h"
#include "gpuocc/Device/FallbackNumber.h"

using namespace gpuocc;

/// Adds First..Last to \p Ranges, to the last one when occupancy is the same.
static void append(std::vector<OccupancyRange> &Ranges, uint64_t First,
                   uint64_t Last, const Occupancy &O) {
  if (!Ranges.empty() && Ranges.back().BlocksPerSm == O.BlocksPerSm &&
      Ranges.back().WarpsPerSm == O.WarpsPerSm) {
    Ranges.back().Last = Last;
    return;
  }
  Ranges.push_back({First, Last, O.BlocksPerSm, O.WarpsPerSm, O.Fraction});
}

std::vector<OccupancyRange>
gpuocc::occupancyOverRegisters(const ArchLimits &Limits,
                               const BlockResources &Block) {
  std::vector<OccupancyRange> Ranges;
  BlockResources At = Block;
  unsigned Most = Limits.MaxRegistersPerThread.value_or(0);
  for (unsigned Registers = 1; Registers <= Most; ++Registers) {
    At.RegistersPerThread = Registers;
    append(Ranges, Registers, Registers, occupancy(Limits, At));
  }
  return Ranges;
}

std::vector<OccupancyRange>
gpuocc::occupancyOverSharedBytes(const ArchLimits &Limits,
                                 const BlockResources &Block) {
  std::vector<OccupancyRange> Ranges;
  BlockResources At = Block;
  At.DynamicSharedBytes = 0;
  uint64_t Most = Block.OptIn == SharedOptIn::Yes
                      ? Limits.SharedBytesPerBlockOptin.value_or(0)
                      : Limits.SharedBytesPerBlock.value_or(0);
  // Occupancy changes just above multiples of the unit, which divides both
  // the reserved bytes and the most a block can have.
  unsigned Unit = limitOrDefault(Limits, &ArchLimits::SharedAllocationUnit);
  for (uint64_t Last = 0; Last <= Most; Last += Unit) {
    At.StaticSharedBytes = Last;
    append(Ranges, Last == 0 ? 0 : Last - Unit + 1, Last,
           occupancy(Limits, At));
  }
  return Ranges;
}

std::vector<OccupancyRange>
gpuocc::occupancyOverThreads(const ArchLimits &Limits,
                             const BlockResources &Block) {
  std::vector<OccupancyRange> Ranges;
  BlockResources At = Block;
  unsigned Most = Limits.MaxThreadsPerBlock.value_or(0);
  for (unsigned Threads = 32; Threads <= Most; Threads += 32) {
    At.Threads = Threads;
    append(Ranges, Threads, Threads, occupancy(Limits, At));
  }
  return Ranges;
}
