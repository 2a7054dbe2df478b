//===- Bandwidth.h - What follows from rates of L2 -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_BANDWIDTH_H
#define GPUOCC_CALIBRATION_PLANS_BANDWIDTH_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <utility>

namespace gpuocc::calibration {

/// Groups of SMs whose reads of a line are merged before they reach L2.
struct MergedReads {
  double Groups = 0;          ///< l2_coalescers
  double BytesPerCycleSm = 0; ///< l2_merged_read_bytes_per_cycle_sm
};

/// From rates (byte/cycle/SM) of L2 reads by how many SMs share each line, in
/// ascending order: nothing where sharing makes no read faster.
///
/// SMs that share a line are of different groups for as long as there are
/// groups, so that reads are no faster with up to as many SMs as there are
/// groups, and at their fastest with twice as many.
///
/// Source: table l2_read_by_sharers of 2026-11-23T1548 (H200) and
/// 2026-11-23T1628 (H100).
std::optional<MergedReads>
mergedReads(llvm::ArrayRef<std::pair<double, double>> RateBySharers);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_BANDWIDTH_H
