//===- ExitStatus.h - How commands end -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_EXITSTATUS_H
#define GPUOCC_SUPPORT_EXITSTATUS_H

namespace gpuocc {

/// The exit status of each command; docs/exit-status.md is the table for users.
/// Of several that hold for a run the largest counts. The pass plugin never
/// changes the status of a compile.
enum ExitStatus : int {
  /// All of the work was done and nothing is beyond the thresholds.
  StatusGood = 0,
  /// All of the work was done; something is beyond the thresholds: findings, a
  /// device database with problems, databases that differ.
  StatusFindings = 1,
  /// Not all of the work could be done; standard error says what and why. What
  /// could be done is printed all the same.
  StatusFailed = 2,
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_EXITSTATUS_H
