//===- PairLatencies.cpp - Latencies by producer and consumer -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairLatencies.h"
#include "Numbers.h"
#include "PipeKinds.h"
#include <algorithm>
#include <cstddef>
#include <vector>

using namespace gpuocc;

PairLatencies::PairLatencies(Numbers &N) : N(N) {
  std::map<PipePair, std::vector<double>> Measured;
  N.device().model().forEachPair([&](const Dependence &D, double Latency) {
    const double Own = N.latency(D.Producer);
    // Such chains were of other values than those of the producer alone: lanes
    // that all match, atomics that all meet.
    if (Latency < Own / 2 ||
        (isTracked(N.pipe(D.Producer)) && Latency > 2 * Own))
      return;
    const double Extra = wholeCycles(Latency) - wholeCycles(Own);
    OfClasses[D] = Extra;
    Measured[pipesOf(D)].push_back(Extra);
  });
  for (auto &[Pipes, Extras] : Measured) {
    auto Middle = Extras.begin() + ptrdiff_t(Extras.size() / 2);
    std::nth_element(Extras.begin(), Middle, Extras.end());
    OfPipes[Pipes] = *Middle;
  }
}

PairLatencies::PipePair PairLatencies::pipesOf(const Dependence &D) const {
  return {N.pipe(D.Producer), N.pipe(D.Consumer), D.Use};
}

double PairLatencies::extraCycles(const Dependence &D) const {
  if (auto It = OfClasses.find(D); It != OfClasses.end())
    return It->second;
  // Results reach another pipe later than their own; where that was measured
  // for other instructions of the two pipes, it holds for these.
  if (N.pipe(D.Producer) == N.pipe(D.Consumer))
    return 0;
  auto It = OfPipes.find(pipesOf(D));
  return It == OfPipes.end() ? 0 : It->second;
}
