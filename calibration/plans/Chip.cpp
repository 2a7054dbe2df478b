//===- Chip.cpp - What the driver states ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Bytes that L1 and shared memory have together; the driver does not state it.
/// Source: CUDA C++ Programming Guide, table of technical specifications.
static unsigned unifiedL1Bytes(unsigned Architecture) {
  struct Row {
    unsigned Architecture, KiB;
  };
  static constexpr Row Rows[] = {{70, 128},  {72, 128},  {75, 96},  {80, 192},
                                 {86, 128},  {87, 192},  {89, 128}, {90, 256},
                                 {100, 256}, {103, 256}, {120, 128}};
  for (const Row &R : Rows)
    if (R.Architecture == Architecture)
      return R.KiB * 1024;
  return 0;
}

Error measureChip(Session &S) {
  const GpuFacts &F = S.G.facts();
  const char *Stated = "device attribute of the driver";
  auto Set = [&](const char *Key, double Value, const char *Unit) {
    if (Value > 0)
      S.Db.set("chip", Key, vendor(Value, Unit, Stated));
  };
  Set("sm_count", F.SmCount, "count");
  Set("memory_clock_mhz", F.MemoryClockKHz / 1e3, "MHz");
  // Two transfers a clock.
  if (double Peak = 2.0 * F.MemoryBusBits / 8 * F.MemoryClockKHz / 1e6;
      Peak > 0)
    S.Db.set("chip", "memory_bandwidth_peak_gbs",
             derived(Peak, "GB/s",
                     "bus width (" + std::to_string(F.MemoryBusBits) +
                         " bits) times twice the memory clock, both as the "
                         "driver states them"));
  Set("l2_bytes", F.L2Bytes, "byte");
  Set("dram_bytes", F.DramBytes, "byte");
  Set("max_shared_bytes_per_sm", F.SharedBytesPerSm, "byte");
  S.Db.set("chip", "schedulers_per_sm",
           vendor(4, "count", "CUDA C++ Programming Guide, compute 7.x to 12"));
  if (unsigned Bytes = unifiedL1Bytes(F.Architecture))
    S.Db.set("chip", "l1_shared_bytes_per_sm",
             vendor(Bytes, "byte", "CUDA C++ Programming Guide"));
  return Error::success();
}

} // namespace gpuocc::calibration
