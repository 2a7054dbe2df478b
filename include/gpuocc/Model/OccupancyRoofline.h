//===- OccupancyRoofline.h - Throughput of classes over warps ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Source: Lemeire, Cornelis and Segers 2016, "Microbenchmarks for GPU
/// characteristics: the occupancy roofline and the pipeline model". A class of
/// instructions has an issue latency (lambda) and a completion latency
/// (Lambda), both in cycles per warp instruction of an SM, and a ridge point:
/// the occupancy from which on it runs at its peak.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_OCCUPANCYROOFLINE_H
#define GPUOCC_MODEL_OCCUPANCYROOFLINE_H

#include "gpuocc/Support/InstClass.h"
#include <vector>

namespace gpuocc {

struct DeviceModel;
struct InstTiming;
struct Parallelism;
struct Prediction;

/// A class of instructions with a number of independent ones in each warp.
struct PipelinePoint {
  unsigned Ilp = 1;
  /// The fewest and the most cycles per instruction, at the best occupancy and
  /// with one warp (equations 4 and 5).
  double IssueLatency = 0, CompletionLatency = 0;
  /// Fewest warps per SM whose throughput is within 5 % of the peak (section
  /// III).
  double RidgeWarps = 0;
  bool operator==(const PipelinePoint &) const = default;
};

/// A class that a kernel uses, on its occupancy roofline.
struct ClassPipeline {
  InstClass Class = {};
  /// Instructions per warp of the kernel.
  double PerWarp = 0;
  /// With 1, 2 and 4 independent instructions.
  std::vector<PipelinePoint> Points;
  /// What the class would reach, as a fraction of its peak, with the kernel's
  /// resident warps and as many independent instructions as the largest ILP of
  /// Points that its own is not less than.
  double FractionOfPeak = 0;
  bool operator==(const ClassPipeline &) const = default;
};

/// A kernel on the occupancy rooflines of its instructions.
struct OccupancyRoofline {
  /// Resident warps per SM, and instructions of a warp in execution.
  double Warps = 0, Ilp = 0;
  /// Most frequent first; classes that the device has no times for are left
  /// out.
  std::vector<ClassPipeline> Classes;
  bool operator==(const OccupancyRoofline &) const = default;
};

/// The points of \p Timing, in order of ILP: from its curve where it has one,
/// else those of a pipe of its latency, issue interval and throughput, if these
/// are known.
std::vector<PipelinePoint> pipelinePoints(const InstTiming &Timing);

/// Throughput over peak of a class at \p Warps resident warps: in proportion to
/// them until the ridge, and no less there than a pipe of these latencies has.
double fractionOfPeak(const PipelinePoint &Point, double Warps);

/// The place of the kernel that \p P predicts, whose warps have the parallelism
/// \p Of, on \p Device.
OccupancyRoofline occupancyRoofline(const Prediction &P, const Parallelism &Of,
                                    const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_MODEL_OCCUPANCYROOFLINE_H
