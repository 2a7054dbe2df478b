//===- ProfileReport.h - What a program takes, as nsys shows it -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_PROFILEREPORT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_PROFILEREPORT_H

#include "HostReport.h"
#include "driver/PriceLaunches.h"

namespace gpuocc {

/// What the program takes on another device than it believed to run on.
struct OtherDevice {
  std::string Name;
  double KernelNs = 0;
  /// Kernels, and what is beside them.
  double TotalNs = 0;
  /// Calls of kernels whose time is not known there.
  uint64_t UnpricedCalls = 0;
};

/// The launches of a program that ran, with what they take.
struct ProfileReport {
  std::string Device;
  /// For each launch that was priced, its place among all that were recorded.
  std::vector<size_t> Numbers;
  /// In the order of their total time.
  std::vector<LaunchGroup> Groups;
  /// Copies, launches and gaps.
  std::vector<HostTime> Others;
  std::vector<OtherDevice> OtherDevices;

  /// The sum over the groups whose time is known.
  double kernelNs() const;
  /// That, and what is beside the kernels.
  double totalNs() const;
};

/// A table of kernels, one row each, a table of what is beside them, and the
/// total.
void writeProfileText(const ProfileReport &R, llvm::raw_ostream &OS);

/// An object with `device`, `kernels` (the costliest launch of each group as
/// in a report of `analyze`, with `calls`, `total_time_ns`, `min_time_ns`,
/// `max_time_ns`, `share`, `counts` and `launches`), `unpriced` (`kernel`,
/// `calls` and `reason`), `others`, `total_time_ns` and `other_devices`
/// (`device`, `kernel_time_ns`, `total_time_ns` and `unpriced_calls`).
llvm::Error writeProfileJSON(const ProfileReport &R, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_PROFILEREPORT_H
