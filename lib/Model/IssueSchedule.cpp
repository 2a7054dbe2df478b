//===- IssueSchedule.cpp - In-order issue of one warp ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/IssueSchedule.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

std::vector<double> gpuocc::issueCycles(ArrayRef<TimedInstruction> Code) {
  std::vector<double> Issue(Code.size());
  for (size_t I = 0; I != Code.size(); ++I) {
    double Cycle = I ? Issue[I - 1] + Code[I - 1].IssueGapCycles : 0;
    for (unsigned Input : Code[I].Inputs)
      Cycle = std::max(Cycle, Issue[Input] + Code[Input].LatencyCycles);
    Issue[I] = Cycle;
  }
  return Issue;
}

double gpuocc::barrierReleaseCycle(ArrayRef<double> ArrivalCycles,
                                   double BarrierLatencyCycles) {
  double Latest = 0;
  for (double Arrival : ArrivalCycles)
    Latest = std::max(Latest, Arrival);
  return Latest + BarrierLatencyCycles;
}
