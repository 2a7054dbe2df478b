//===- Prediction.h - What the model says of one launch --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_PREDICTION_H
#define GPUOCC_MODEL_PREDICTION_H

#include "gpuocc/Model/Diagnosis.h"
#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/Known.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

enum class OccupancyLimiter : uint8_t;

/// One row of a worksheet (Volkov 2016, Table 3.4): a kind of use, how often a
/// warp makes it, and SM cycles for which each use holds the resource.
struct BoundTerm {
  std::string What;
  double CountPerWarp = 0;
  double CyclesEach = 0;
  double cycles() const { return CountPerWarp * CyclesEach; }
  bool operator==(const BoundTerm &) const = default;
};

/// SM cycles per warp for which one resource is in exclusive use; its inverse
/// bounds the warp throughput of an SM (Volkov 2016, section 3.6).
struct Bound {
  Resource What = Resource::Issue;
  double CyclesPerWarp = 0;
  std::vector<BoundTerm> Terms;
  bool operator==(const Bound &) const = default;
};

/// A node of the longest path through one warp (Volkov 2016, Fig. 3.5).
struct LatencyStep {
  /// Index in KernelFacts::Operations.
  uint32_t Op = ~0u;
  /// Cycles from the start of the warp, first execution.
  double IssueCycle = 0;
  /// Cycles this step adds to the warp, over all its executions.
  double CyclesTotal = 0;
  std::string Why;
  bool operator==(const LatencyStep &) const = default;
};

/// Lower bound on the mean latency of a warp (Volkov 2016, section 3.7).
struct LatencyBound {
  /// From the first issue of a warp to that of its successor in the slot.
  double CyclesPerWarp = 0;
  /// Of these: waiting at barriers, and replacing the block.
  double BarrierCycles = 0;
  double ReplacementCycles = 0;
  std::vector<LatencyStep> Path;
  bool operator==(const LatencyBound &) const = default;
};

/// A point of the throughput curve.
struct CurvePoint {
  /// Resident warps per SM.
  double Warps = 0;
  /// Warps completed per cycle and SM.
  double WarpsPerCycle = 0;
  bool operator==(const CurvePoint &) const = default;
};

/// Resident warps per SM that reach a fraction of the throughput bound, which
/// may exceed what an SM can hold; infinity where no number of warps does.
struct NeededWarps {
  double P90 = 0, P95 = 0, P99 = 0;
  /// latency x throughput, before contention (Little's law).
  double Linear = 0;
  bool operator==(const NeededWarps &) const = default;
};

/// Time of the whole grid.
struct TimeEstimate {
  double Ns = 0;
  /// Waves of blocks over the SMs, not rounded.
  double Waves = 0;
  /// Of Ns: launch and start of the grid, and the partly filled end.
  double LaunchNs = 0;
  double TailNs = 0;
  bool operator==(const TimeEstimate &) const = default;
};

/// Where the time of a launch is expected to lie.
struct TimeInterval {
  double LowNs = 0;
  /// Infinity where nothing bounds what is not known.
  double HighNs = 0;
  /// Share of launches of this kind whose time does.
  double Coverage = 0;
  /// What makes it as wide as it is: "the model", "numbers of nvidia-a100-80gb
  /// are derived from nvidia-h200".
  std::vector<std::string> DependsOn;
  bool operator==(const TimeInterval &) const = default;
};

/// Warp instructions of one class per warp.
struct ClassCount {
  InstClass Class = {};
  double PerWarp = 0;
  bool operator==(const ClassCount &) const = default;
};

/// The model's answer for one kernel, launch and device.
struct Prediction {
  /// Available by resources, per SM.
  unsigned WarpsPerSm = 0;
  unsigned BlocksPerSm = 0;
  double OccupancyFraction = 0;
  std::optional<OccupancyLimiter> Limiter;
  /// Mean warps per SM over the run, less than available for small grids.
  double ActiveWarpsPerSm = 0;

  std::vector<ClassCount> Mix;
  double InstructionsPerWarp = 0;
  /// Largest first.
  std::vector<Bound> Bounds;
  LatencyBound Latency;
  /// Share of the launch for which hardware counters see each unit busy, with
  /// its idle begin and end; of full SMs where no launch is known.
  PerResource<double> Busy = {};
  Diagnosis Diagnosed;
  /// The active warps reach 90 % of the first bound but for their interference:
  /// neither more of them nor more independent work in each bring much. The
  /// side of the knee of Volkov 2016, section 3.5.
  bool NearBound = false;
  NeededWarps Needed;
  std::vector<CurvePoint> Curve;
  /// Warps per cycle and SM at ActiveWarpsPerSm: of the blocks that take the
  /// time, or of all of them where no time is known.
  double WarpsPerCycle = 0;
  Known<TimeEstimate> Time = Known<TimeEstimate>::unknown("no launch is known");
  /// Around Time.
  Known<TimeInterval> Interval =
      Known<TimeInterval>::unknown("no launch is known");
  /// Traffic per warp, bytes.
  double L2BytesPerWarp = 0;
  double DramReadBytesPerWarp = 0;
  double DramWriteBytesPerWarp = 0;
  /// Database numbers that were missing and what was taken instead.
  std::vector<std::string> Borrowed;
  bool operator==(const Prediction &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_MODEL_PREDICTION_H
