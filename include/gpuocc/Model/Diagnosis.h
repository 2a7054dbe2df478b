//===- Diagnosis.h - What bounds a launch, and why --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one answer to 'what bounds this kernel'. Verdict, JSON, remarks, prices,
/// worksheet and bench read it and nothing else. docs/model.md states the rule
/// and where Nsight Compute words a case otherwise.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_DIAGNOSIS_H
#define GPUOCC_MODEL_DIAGNOSIS_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

/// The two answers that a limiter falls under.
enum class Mode : uint8_t { LatencyBound, ThroughputBound };

/// "latency-bound" or "throughput-bound".
llvm::StringRef modeText(Mode M);

/// The reason behind a Diagnosis. All but BusyUnit are reasons for
/// Resource::Latency.
enum class DiagnosisCause : uint8_t {
  /// The unit is busy for most of the launch.
  BusyUnit,
  /// The warps that an SM can hold do not hide the latency.
  FewWarps,
  /// Nor do those that the grid gives it, which are fewer.
  SmallGrid,
  /// The warps suffice; the unit of the first bound serves their requests at
  /// less than its peak (random sectors, atomics that meet).
  SlowRequests,
  /// The warps suffice; the first bound is of something that no hardware
  /// counter counts (the start of blocks), and the units wait for it.
  UncountedUnit,
  /// The warps suffice; launch, start and end of the grid leave the units idle.
  ShortLaunch,
};

/// The last value of DiagnosisCause.
constexpr DiagnosisCause LastDiagnosisCause = DiagnosisCause::ShortLaunch;

/// "busy-unit", "few-warps", ...
llvm::StringRef diagnosisCauseKey(DiagnosisCause C);

/// What bounds one launch.
struct Diagnosis {
  /// The unit that hardware counters see busy for most of the launch, or
  /// Latency where they see none.
  Resource Unit = Resource::Latency;
  DiagnosisCause Cause = DiagnosisCause::FewWarps;
  /// Between 0 and 1. BusyUnit: of the launch, the share for which the unit is
  /// busy. FewWarps, SmallGrid: of the first bound, what the warps reach.
  /// SlowRequests: of the launch, the share for which the unit of that bound is
  /// busy. UncountedUnit: that of the busiest unit. ShortLaunch: of the launch,
  /// the share for which units idle.
  double Share = 0;
  /// False where no grid is known: SMs are then taken as full throughout.
  bool LaunchKnown = false;

  /// LatencyBound exactly where Unit is Latency.
  Mode mode() const {
    return Unit == Resource::Latency ? Mode::LatencyBound
                                     : Mode::ThroughputBound;
  }
  bool operator==(const Diagnosis &) const = default;
};

/// What a Diagnosis rests on.
struct DiagnosisEvidence {
  /// Share of the launch for which counters see each unit busy.
  PerResource<double> BusyOfLaunch = {};
  /// The same while all SMs hold their warps.
  PerResource<double> BusyWhenFull = {};
  /// The unit of the largest throughput bound; Latency when there is none.
  Resource FirstBound = Resource::Latency;
  /// Throughput as a share of that bound.
  double ShareOfBound = 0;
  /// The grid leaves SMs with fewer warps than they can hold.
  bool GridIsSmall = false;
  bool LaunchKnown = false;
};

/// The rule of docs/model.md, section "Diagnosis".
Diagnosis diagnose(const DiagnosisEvidence &E);

} // namespace gpuocc

#endif // GPUOCC_MODEL_DIAGNOSIS_H
