//===- IssueQueue.cpp - What a scheduler issues ahead of a pipe -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IssueQueue.h"
#include "Statistics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

std::optional<IssueQueue> queueOfOneEach(std::vector<double> Ends,
                                         double PipeCycles) {
  llvm::sort(Ends);
  // Warps that do not wait follow each other within the cycles of an issue or
  // two.
  for (size_t I = 1; I < Ends.size(); ++I)
    if (Ends[I] - Ends[I - 1] > PipeCycles / 2)
      return IssueQueue{double(I), Ends[I] - Ends.front() - PipeCycles};
  return std::nullopt;
}

std::optional<IssueQueue> queueOfBursts(ArrayRef<Burst> Bursts) {
  std::vector<std::pair<double, double>> Points;
  for (const Burst &B : Bursts)
    Points.push_back({1 / B.PipeCycles, B.Accesses - B.Cycles / B.PipeCycles});
  std::optional<Line> Fit = fitLine(Points);
  if (!Fit)
    return std::nullopt;
  return IssueQueue{Fit->Intercept, -Fit->Slope};
}

} // namespace gpuocc::calibration
