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
  double Squares = 0;
  for (const IntervalTerm &T : Terms) {
    Squares += std::log(T.Factor) * std::log(T.Factor);
    I.DependsOn.push_back(T.Why);
  }
  double Factor = std::exp(std::sqrt(Squares));
  I.LowNs = Ns / Factor;
  I.HighNs = Ns * Factor;
  return I;
}
