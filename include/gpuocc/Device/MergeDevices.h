//===- MergeDevices.h - One device from several runs -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_MERGEDEVICES_H
#define GPUOCC_DEVICE_MERGEDEVICES_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// A number that several runs state.
struct MergedNumber {
  /// "memory.l2_hit_latency_cycles"
  std::string Place;
  double Lowest = 0, Median = 0, Highest = 0;

  /// Width of the runs over their median; 0 where that is 0.
  double width() const { return Median ? (Highest - Lowest) / Median : 0; }
};

/// A device from several runs, and what they say apart, by place.
struct MergedDevice {
  DeviceModel Device;
  std::vector<MergedNumber> Numbers;
};

/// How far runs on one model may be apart for a number to count as settled,
/// relative to their median.
inline constexpr double SettledWidth = 0.02;

/// The device that \p Runs, files of one model as gpu-occupancy-calibrate
/// writes them, state together. Each number is the median of the runs that have
/// it. Of a measured one, samples are the sum, the spread is the larger one of
/// the runs' own and half the width of the runs, and it is not stable where a
/// run says so or the runs are further apart than SettledWidth. Fits, curves
/// and tables are those of the run with the median throughput of DRAM.
///
/// Fails for fewer than two runs, runs of different models, and runs of a part
/// of a GPU or under lowered clocks, as their `record` says.
llvm::Expected<MergedDevice> mergeDevices(llvm::ArrayRef<DeviceModel> Runs);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_MERGEDEVICES_H
