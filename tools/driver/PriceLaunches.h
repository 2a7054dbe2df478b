//===- PriceLaunches.h - What the launches of a program take ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_PRICELAUNCHES_H
#define GPUOCC_TOOLS_DRIVER_PRICELAUNCHES_H

#include "gpuocc/Report/Report.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <functional>

namespace gpuocc {

struct DeviceModel;

/// One of the different launches of a group.
struct GroupLaunch {
  /// Its place among the launches that were priced.
  size_t Index = 0;
  uint64_t Calls = 0;
  double Ns = 0;
  /// False where the time is that of the one before it.
  bool IsPriced = false;
};

/// Launches of one kernel that differ in nothing that a report shows: same
/// grid, block and dynamic shared memory.
struct LaunchGroup {
  std::string Kernel;
  std::string Demangled;
  Dim3 Grid, Block;
  uint64_t DynamicSharedBytes = 0;
  /// How often the program launched it.
  uint64_t Calls = 0;
  /// Different ones among these, and those that a prediction was made for.
  /// Others take the time of the one before them.
  unsigned NumDifferent = 0, NumPriced = 0;
  /// Of all calls, of the fastest and of the slowest. Unknown where no
  /// prediction is.
  Known<double> TotalNs = Known<double>::unknown("it was not launched");
  double MinNs = 0, MaxNs = 0;
  /// In the order of the program; empty where no time is known.
  std::vector<GroupLaunch> Launches;
  /// Launches whose arrays were recorded.
  unsigned NumWithMemory = 0;
  /// Of managed memory, what comes to the device at its different launches.
  uint64_t ManagedBytes = 0;
  /// Blocks of a launch whose reads were kept while it ran; 0: of none.
  uint64_t NumBlocksSeen = 0;
  /// Loops that data end whose turns were counted in all blocks.
  unsigned NumLoopsCounted = 0;
  /// Warps that ran ahead of the launch, as which loops are executed.
  uint64_t NumWarpsRan = 0;
  bool isCounted() const {
    return NumBlocksSeen != 0 || NumLoopsCounted != 0 || NumWarpsRan != 0;
  }
  /// There were more reads than are kept.
  bool SeenIsCut = false;
  /// The launch that takes most, with findings.
  std::optional<KernelReport> Costliest;
  /// What it executed against what is said of it; absent where that was not
  /// counted.
  std::optional<llvm::json::Object> Executed;
};

/// What \p Launches, each as often as \p Calls says, take on \p Device, in the
/// order of their total time. No new prediction begins after \p End.
std::vector<LaunchGroup>
priceLaunches(llvm::ArrayRef<KernelFacts> Kernels,
              llvm::ArrayRef<RecordedLaunch> Launches,
              llvm::ArrayRef<uint64_t> Calls, const DeviceModel &Device,
              std::chrono::steady_clock::time_point End);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_PRICELAUNCHES_H
