//===- DeviceLint.h - Checks that a database is plausible -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DEVICELINT_H
#define GPUOCC_DEVICE_DEVICELINT_H

#include "gpuocc/Device/DeviceModel.h"
#include <string>
#include <vector>

namespace gpuocc {

/// One thing wrong with a device database that has the right form.
struct LintProblem {
  /// Where, such as "instructions.fp32.fma.latency_cycles".
  std::string Place;
  /// What, and what would be right.
  std::string Message;

  bool operator==(const LintProblem &) const = default;
};

/// What is implausible in \p Device: numbers without provenance, measured ones
/// without date or repeats, values that are not positive or not finite,
/// throughputs above what the schedulers can issue, levels of memory out of
/// order, an unknown architecture. Empty for every embedded device.
std::vector<LintProblem> lintDevice(const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DEVICELINT_H
