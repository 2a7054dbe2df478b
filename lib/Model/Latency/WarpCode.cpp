//===- WarpCode.cpp - What one warp executes ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpCode.h"
#include "Numbers/Numbers.h"
#include <utility>

using namespace gpuocc;

WarpCode::WarpCode(const KernelFacts &Facts, const ExecutionProfile &Profile,
                   std::vector<double> Most, double WarpsAlike,
                   unsigned WarpsPerBlock, Numbers &N)
    : Facts(Facts), Profile(Profile), MostExecutions(std::move(Most)),
      Fetch(Facts, Profile, MostExecutions, N.device()),
      Graph(Facts, Profile, MostExecutions, WarpsPerBlock, Fetch, N),
      Schedule(Facts, Graph, N.l2HitLatency(), N.issueWidth(), N.mechanisms()),
      Loops(Facts), LastOfBlock(N.expectedGreatest(WarpsAlike)),
      WarpsPerBlock(WarpsPerBlock), Schedulers(N.schedulers()) {}
