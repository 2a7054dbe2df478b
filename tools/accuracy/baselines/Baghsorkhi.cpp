//===- Baghsorkhi.cpp - the model of Baghsorkhi et al. 2010
//---------------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Baghsorkhi.h"
#include <algorithm>

using namespace gpuocc;

double baghsorkhi::warpLatency(const AlphaMix &M, double Warps) {
  double Issue = 1 / M.AluPerCycle;
  double Arithmetic = M.Alpha * std::max(Issue, M.AluLatencyCycles / Warps);
  double Transfer = 1 / M.MemPerCycle;
  double Bandwidth = Issue + std::max(0.0, Transfer - Arithmetic - Issue);
  double Exposed = M.MemLatencyCycles - (Warps - 1) * (Arithmetic + Issue);
  return Arithmetic + std::max(Bandwidth, Exposed);
}

double baghsorkhi::throughput(const AlphaMix &M, double Warps) {
  return 1 / warpLatency(M, Warps);
}
