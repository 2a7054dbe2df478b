//===- Interval.cpp - How far a predicted time can be off -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Interval.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

TimeInterval gpuocc::timeInterval(double Ns, ArrayRef<IntervalTerm> Terms) {
  TimeInterval I;
  I.Coverage = IntervalCoverage;
  double Faster = 0, Slower = 0;
  for (const IntervalTerm &T : Terms) {
    Slower += std::log(T.Slower) * std::log(T.Slower);
    Faster += std::log(T.Faster) * std::log(T.Faster);
    I.DependsOn.push_back(T.Why);
  }
  I.LowNs = Ns / std::exp(std::sqrt(Faster));
  I.HighNs = Ns * std::exp(std::sqrt(Slower));
  return I;
}
