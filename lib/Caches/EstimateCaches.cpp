//===- EstimateCaches.cpp - Expected hits in L1 and L2 --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Caches/EstimateCaches.h"
#include "CacheEstimate.h"

using namespace gpuocc;

namespace {
struct Step {
  Mechanism What;
  void (*Run)(const WalkedLaunch &, ExecutionProfile &);
};
} // namespace

/// In the order in which they build on each other.
static constexpr Step Steps[] = {
    {Mechanism::L1Reuse, estimateL1},
    {Mechanism::L2Reuse, estimateL2},
    {Mechanism::LocalReuse, estimateLocal},
};

void gpuocc::estimateCaches(const WalkedLaunch &L, ExecutionProfile &Profile) {
  for (const Step &S : Steps)
    if (L.options().Used.has(S.What))
      S.Run(L, Profile);
}

ExecutionProfile gpuocc::profileLaunch(const KernelFacts &Facts,
                                       const Launch &L,
                                       const MemoryGeometry &Geometry,
                                       const LanesOptions &Options) {
  return profileLanes(Facts, L, Geometry, Options, estimateCaches);
}
