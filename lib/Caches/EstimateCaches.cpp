//===- EstimateCaches.cpp - Expected hits in L1 and L2 --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Caches/EstimateCaches.h"
#include "CacheEstimate.h"
#include "llvm/Support/TimeProfiler.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct Step {
  Mechanism What;
  void (*Run)(const WalkedLaunch &, ExecutionProfile &);
  /// It changes what L1 passes on to L2.
  bool IsOfL1;
};
} // namespace

/// In the order in which they build on each other.
static constexpr Step Steps[] = {
    {Mechanism::L1Reuse, estimateL1, true},
    {Mechanism::L2Reuse, estimateL2, false},
    {Mechanism::LocalReuse, estimateLocal, true},
};

void gpuocc::estimateCaches(const WalkedLaunch &L, ExecutionProfile &Profile,
                            CacheLevels Levels) {
  TimeTraceScope Scope("gpu-occupancy caches", L.facts().Name);
  for (const Step &S : Steps)
    if (L.options().Used.has(S.What) &&
        (S.IsOfL1 || Levels == CacheLevels::All))
      S.Run(L, Profile);
}

ExecutionProfile gpuocc::profileLaunch(const KernelFacts &Facts,
                                       const Launch &L,
                                       const MemoryGeometry &Geometry,
                                       const LanesOptions &Options,
                                       CacheLevels Levels) {
  return profileLanes(Facts, L, Geometry, Options,
                      [&](const WalkedLaunch &Walked, ExecutionProfile &Out) {
                        estimateCaches(Walked, Out, Levels);
                      });
}
