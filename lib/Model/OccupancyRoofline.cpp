//===- OccupancyRoofline.cpp - Throughput of classes over warps -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/OccupancyRoofline.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Parallelism.h"
#include "gpuocc/Model/Prediction.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Section III: "smaller than 5 %".
constexpr double AtThePeak = 0.95;

/// The point of the curve with \p Ilp independent instructions.
static PipelinePoint pointOf(ArrayRef<ThroughputPoint> Curve, unsigned Ilp) {
  double Peak = 0;
  unsigned Fewest = ~0u;
  PipelinePoint Out;
  Out.Ilp = Ilp;
  for (const ThroughputPoint &P : Curve) {
    if (P.Ilp != Ilp || P.PerCycleSm <= 0)
      continue;
    Peak = std::max(Peak, P.PerCycleSm);
    if (P.Warps < Fewest) {
      Fewest = P.Warps;
      Out.CompletionLatency = P.Warps / P.PerCycleSm;
    }
  }
  if (Peak <= 0)
    return Out;
  Out.IssueLatency = 1 / Peak;
  unsigned Ridge = ~0u;
  for (const ThroughputPoint &P : Curve)
    if (P.Ilp == Ilp && P.PerCycleSm >= AtThePeak * Peak)
      Ridge = std::min(Ridge, P.Warps);
  Out.RidgeWarps = Ridge;
  return Out;
}

/// The point of a pipe of these latencies (section IV.A): the next independent
/// instruction follows after the issue interval of the warp, the next dependent
/// one after the latency. On an H200 the ridges of FFMA come out as 15.3, 7.7
/// and 4, and were measured as 16, 8 and 4.
static std::optional<PipelinePoint> modelledPoint(const InstTiming &Timing,
                                                  unsigned Ilp) {
  if (!Timing.LatencyCycles || !Timing.ThroughputPerCycleSm ||
      Timing.ThroughputPerCycleSm->Value <= 0)
    return std::nullopt;
  const double Latency = Timing.LatencyCycles->Value;
  const double Interval = Timing.IssueCycles ? Timing.IssueCycles->Value : 0;
  PipelinePoint P;
  P.Ilp = Ilp;
  P.IssueLatency = 1 / Timing.ThroughputPerCycleSm->Value;
  P.CompletionLatency = std::max(Latency / Ilp, std::min(Latency, Interval));
  const double RidgeOfOne = Timing.NeededWarps
                                ? Timing.NeededWarps->Value
                                : AtThePeak * Latency / P.IssueLatency;
  P.RidgeWarps = std::max(1.0, RidgeOfOne * P.CompletionLatency / Latency);
  return P;
}

std::vector<PipelinePoint> gpuocc::pipelinePoints(const InstTiming &Timing) {
  std::vector<PipelinePoint> Out;
  for (unsigned Ilp : {1u, 2u, 4u})
    if (PipelinePoint P = pointOf(Timing.Curve, Ilp); P.IssueLatency > 0)
      Out.push_back(P);
    else if (std::optional<PipelinePoint> Modelled = modelledPoint(Timing, Ilp))
      Out.push_back(*Modelled);
  return Out;
}

double gpuocc::fractionOfPeak(const PipelinePoint &Point, double Warps) {
  if (Point.RidgeWarps > 0 && Warps >= Point.RidgeWarps)
    return 1;
  if (Point.CompletionLatency <= 0)
    return 0;
  return std::min(1.0, Warps * Point.IssueLatency / Point.CompletionLatency);
}

OccupancyRoofline gpuocc::occupancyRoofline(const Prediction &P,
                                            const Parallelism &Of,
                                            const DeviceModel &Device) {
  OccupancyRoofline Out;
  Out.Warps = P.ActiveWarpsPerSm;
  Out.Ilp = Of.Ilp;
  for (const ClassCount &C : P.Mix) {
    const InstTiming *Timing = Device.timing(C.Class);
    if (!Timing)
      continue;
    ClassPipeline Class;
    Class.Class = C.Class;
    Class.PerWarp = C.PerWarp;
    Class.Points = pipelinePoints(*Timing);
    if (Class.Points.empty())
      continue;
    const PipelinePoint *Mine = &Class.Points.front();
    for (const PipelinePoint &Point : Class.Points)
      if (Point.Ilp <= Of.Ilp)
        Mine = &Point;
    Class.FractionOfPeak = fractionOfPeak(*Mine, Out.Warps);
    Out.Classes.push_back(std::move(Class));
  }
  return Out;
}
