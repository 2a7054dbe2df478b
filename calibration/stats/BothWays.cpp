//===- BothWays.cpp - A round trip to its two ways ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BothWays.h"

namespace gpuocc::calibration {

std::optional<BothWays> bothWays(double Cycles,
                                 std::optional<IssueDistance> There,
                                 std::optional<IssueDistance> Back,
                                 std::optional<double> FirstLatency,
                                 std::optional<double> SecondLatency) {
  bool Known = There && Back;
  if (Known && There->SetsBarrier && !Back->SetsBarrier)
    return BothWays{Cycles - Back->Cycles, Back->Cycles};
  if (Known && !There->SetsBarrier && Back->SetsBarrier)
    return BothWays{There->Cycles, Cycles - There->Cycles};
  if (Known && !There->SetsBarrier) {
    FirstLatency = There->Cycles;
    SecondLatency = Back->Cycles;
  }
  if (!FirstLatency || !SecondLatency)
    return std::nullopt;
  double Beyond = Cycles - *FirstLatency - *SecondLatency;
  return BothWays{*FirstLatency + Beyond / 2, *SecondLatency + Beyond / 2};
}

} // namespace gpuocc::calibration
