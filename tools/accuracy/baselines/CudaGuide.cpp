//===- CudaGuide.cpp - needed warps by the CUDA C Programming Guide
//-------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaGuide.h"
#include <algorithm>

using namespace gpuocc;

double cudaguide::neededWarps(const AlphaMix &M) {
  return M.MemLatencyCycles * M.AluPerCycle / M.Alpha;
}

double cudaguide::neededWarpsCountingAll(const AlphaMix &M) {
  return M.MemLatencyCycles * M.AluPerCycle / (M.Alpha + 1) + 1;
}

double cudaguide::throughput(const AlphaMix &M, double Warps) {
  double Hidden = Warps / M.MemLatencyCycles;
  return M.Alpha > 0 ? std::min(Hidden, M.AluPerCycle / M.Alpha) : Hidden;
}
