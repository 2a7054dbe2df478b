//===- WarpCode.cpp - What one warp executes ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpCode.h"
#include "Numbers/Numbers.h"

using namespace gpuocc;

WarpCode::WarpCode(const KernelFacts &Facts, const ExecutionProfile &Profile,
                   const ExecutionProfile &Mean, double WarpsAlike,
                   unsigned WarpsPerBlock, Numbers &N)
    : Facts(Facts), Profile(Profile), Mean(Mean), Fetch(Facts, N.device()),
      Graph(Facts, Profile, Mean, WarpsPerBlock, Fetch, N),
      Schedule(Facts, Graph, N.l2HitLatency(), N.issueWidth(), N.mechanisms()),
      Loops(Facts), LastOfBlock(N.expectedGreatest(WarpsAlike)),
      WarpsPerBlock(WarpsPerBlock), Schedulers(N.schedulers()) {}
