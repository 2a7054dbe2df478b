//===- IssueControl.h - When an instruction may issue -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_ISSUECONTROL_H
#define GPUOCC_KERNEL_ISSUECONTROL_H

#include <cstdint>

namespace gpuocc {

/// What the assembler tells the scheduler about an instruction (sm_70 and
/// later). All defaults: nothing is known.
struct IssueControl {
  /// A barrier that an instruction does not set.
  static constexpr uint8_t NoBarrier = 7;

  /// Cycles before the next instruction of the warp can issue.
  uint8_t StallCycles = 0;
  /// The scheduler rather goes on with another warp.
  bool Yields = false;
  /// Scoreboard barrier that is released when the result is written, and when
  /// the inputs have been read; NoBarrier if none.
  uint8_t WriteBarrier = NoBarrier, ReadBarrier = NoBarrier;
  /// Bit I: waits for barrier I.
  uint8_t WaitMask = 0;
  bool operator==(const IssueControl &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_ISSUECONTROL_H
