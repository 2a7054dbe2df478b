//===- PairLatencies.cpp - Latencies by producer and consumer -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/PairLatencies.h"
#include "Numbers/Numbers.h"
#include "Numbers/PipeKinds.h"
#include "gpuocc/Support/InstClasses.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

using namespace gpuocc;

namespace {

/// The pipes of two classes, and how the second uses the result.
using PipePair = std::tuple<Resource, Resource, OperandUse>;

} // namespace

static PipePair pipesOf(const Dependence &D, const Numbers &N) {
  return {N.pipe(D.Producer), N.pipe(D.Consumer), D.Use};
}

/// Results reach another pipe later than their own; where that was measured for
/// instructions of the two pipes, the median holds for the others.
static std::map<PipePair, double>
medians(std::map<PipePair, std::vector<double>> Measured) {
  std::map<PipePair, double> Medians;
  for (auto &[Pipes, Extras] : Measured) {
    auto Middle = Extras.begin() + ptrdiff_t(Extras.size() / 2);
    std::nth_element(Extras.begin(), Middle, Extras.end());
    if (std::get<0>(Pipes) != std::get<1>(Pipes))
      Medians[Pipes] = *Middle;
  }
  return Medians;
}

size_t PairLatencies::indexOf(const Dependence &D) {
  return (size_t(D.Producer) * NumInstClasses + size_t(D.Consumer)) * NumUses +
         size_t(D.Use);
}

double PairLatencies::extraCycles(const Dependence &D) const {
  return Extra[indexOf(D)];
}

PairLatencies::PairLatencies(Numbers &N)
    : Extra(size_t(NumInstClasses) * NumInstClasses * NumUses) {
  std::map<PipePair, std::vector<double>> Measured;
  std::vector<bool> IsMeasured(Extra.size());
  std::array<std::vector<InstClass>, NumResources> OnPipe;
  for (unsigned Class = 0; Class != NumInstClasses; ++Class)
    OnPipe[size_t(N.pipe(InstClass(Class)))].push_back(InstClass(Class));
  N.device().model().forEachPair([&](const Dependence &D, double Latency) {
    const double Own = N.latency(D.Producer);
    // Such chains were of other values than those of the producer alone: lanes
    // that all match, atomics that all meet.
    if (Latency < Own / 2 ||
        (isTracked(N.pipe(D.Producer)) && Latency > 2 * Own))
      return;
    const double More = wholeCycles(Latency) - wholeCycles(Own);
    Extra[indexOf(D)] = More;
    IsMeasured[indexOf(D)] = true;
    Measured[pipesOf(D, N)].push_back(More);
  });
  const std::map<PipePair, double> OfPipes = medians(std::move(Measured));
  for (const auto &[Pipes, Median] : OfPipes)
    for (InstClass Producer : OnPipe[size_t(std::get<0>(Pipes))])
      for (InstClass Consumer : OnPipe[size_t(std::get<1>(Pipes))])
        if (size_t At = indexOf({Producer, Consumer, std::get<2>(Pipes)});
            !IsMeasured[At])
          Extra[At] = Median;
}
