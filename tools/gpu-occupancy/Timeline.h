//===- Timeline.h - When the work of a program is done ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_TIMELINE_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_TIMELINE_H

#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Toolchain/HostEvents.h"
#include <functional>

namespace gpuocc {

/// Something that takes time on a row of the timeline.
struct TimelineSlice {
  enum class What : uint8_t { Kernel, Copy, Gap };
  What Kind = What::Kernel;
  uint32_t Stream = 0;
  /// Since the first event.
  double StartNs = 0;
  double Ns = 0;
  /// Of a kernel: place among the launches written down.
  uint64_t Launch = 0;
  /// Of a copy: its kind and bytes. Of a gap: why it is.
  HostCounter Counter = HostCounter::OnDevice;
  uint64_t Bytes = 0;
};

struct Timeline {
  std::vector<TimelineSlice> Slices;
  /// For each time that the program asked for one, the time between two events.
  std::vector<Known<double>> ElapsedNs;
};

/// What a launch takes, by its place among those written down.
using LaunchTimes = std::function<Known<double>(uint64_t)>;

/// The work of \p Events in the order of its streams, as CUDA defines it: a
/// stream does one thing after the other; the default stream waits for all
/// blocking streams, and they for it; copies of one direction follow each
/// other; the host waits where the program says so and takes no time of its
/// own. Kernels of different streams take the time that each takes alone.
///
/// Before a kernel is a gap: that of a launch that waits for nothing where the
/// host has waited for all before it, else that of a launch behind others.
/// What has no known time takes none and is no slice.
Timeline timeline(llvm::ArrayRef<HostEvent> Events, const LaunchTimes &LaunchNs,
                  const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_TIMELINE_H
