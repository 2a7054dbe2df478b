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
#include "llvm/ADT/DenseMap.h"

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

/// A launch with the group that it belongs to.
struct PricedLaunch {
  const LaunchGroup *Group = nullptr;
  const GroupLaunch *Launch = nullptr;
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
  /// For each time that the program asked for one, the time between two events.
  /// While it ran, it got another.
  std::vector<Known<double>> ElapsedNs;

  /// The sum over the groups whose time is known.
  double kernelNs() const;
  /// That, and what is beside the kernels.
  double totalNs() const;
  /// By the places that the launches have among all that were recorded.
  llvm::DenseMap<uint64_t, PricedLaunch> pricedLaunches() const;
};

/// The times between events of \p Events that the program asked for, with the
/// times of \p R on \p Device.
std::vector<Known<double>> elapsedTimes(const ProfileReport &R,
                                        const HostEvents &Events,
                                        const DeviceModel &Device);

/// A table of kernels, one row each, a table of what is beside them, the total,
/// and the times between events that the program asked for.
void writeProfileText(const ProfileReport &R, llvm::raw_ostream &OS);

/// An object with `device`, `kernels` (the costliest launch of each group as
/// in a report of `analyze`, with `calls`, `total_time_ns`, `min_time_ns`,
/// `max_time_ns`, `share`, `counts` and `launches`), `unpriced` (`kernel`,
/// `calls` and `reason`), `others`, `total_time_ns`, `other_devices` (`device`,
/// `kernel_time_ns`, `total_time_ns` and `unpriced_calls`) and
/// `elapsed_times_ns` (numbers, or null).
llvm::Error writeProfileJSON(const ProfileReport &R, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_PROFILEREPORT_H
