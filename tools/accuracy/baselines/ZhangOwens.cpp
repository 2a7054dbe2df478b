//===- ZhangOwens.cpp - the model of Zhang and Owens 2011
//-----------------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZhangOwens.h"
#include <algorithm>

using namespace gpuocc;

double zhangowens::throughputFromRates(double Alpha, double AluPerCycle,
                                       double MemPerCycle) {
  return 1 / std::max(Alpha / AluPerCycle, 1 / MemPerCycle);
}

double zhangowens::addedThroughputFromRates(double Alpha, double AluPerCycle,
                                            double MemPerCycle) {
  return 1 / (Alpha / AluPerCycle + 1 / MemPerCycle);
}

double zhangowens::throughput(const AlphaMix &M, double Warps) {
  double Alu = std::min(Warps / M.AluLatencyCycles, M.AluPerCycle);
  double Mem = std::min(Warps / M.MemLatencyCycles, M.MemPerCycle);
  return throughputFromRates(M.Alpha, Alu, Mem);
}
