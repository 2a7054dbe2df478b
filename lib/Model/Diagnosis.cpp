//===- Diagnosis.cpp - What bounds a launch, and why ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Diagnosis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Nsight Compute calls a kernel latency-bound where no unit is busy for more
/// than 60 % of its peak ("High Throughput" rule of its speed of light).
static constexpr double MostOfTheTime = 0.6;

/// The share of a bound at which more warps bring little: Needed.P90.
static constexpr double NearlyAll = 0.9;

/// Why no unit is busy for most of the launch, and the share that shows it.
static std::pair<DiagnosisCause, double>
causeOfIdleUnits(const DiagnosisEvidence &E) {
  if (E.FirstBound == Resource::Latency || E.ShareOfBound < NearlyAll)
    return {E.GridIsSmall ? DiagnosisCause::SmallGrid
                          : DiagnosisCause::FewWarps,
            E.ShareOfBound};
  auto Busiest = max_element(E.BusyWhenFull);
  if (*Busiest < MostOfTheTime) {
    const double OfPeak = E.BusyOfLaunch[size_t(E.FirstBound)];
    if (OfPeak == 0)
      return {DiagnosisCause::UncountedUnit, *max_element(E.BusyOfLaunch)};
    return {DiagnosisCause::SlowRequests, OfPeak};
  }
  size_t Unit = Busiest - E.BusyWhenFull.begin();
  return {DiagnosisCause::ShortLaunch, 1 - E.BusyOfLaunch[Unit] / *Busiest};
}

Diagnosis gpuocc::diagnose(const DiagnosisEvidence &E) {
  Diagnosis D;
  D.LaunchKnown = E.LaunchKnown;
  auto Busiest = max_element(E.BusyOfLaunch);
  if (*Busiest >= MostOfTheTime) {
    D.Unit = Resource(Busiest - E.BusyOfLaunch.begin());
    D.Cause = DiagnosisCause::BusyUnit;
    D.Share = *Busiest;
  } else {
    std::tie(D.Cause, D.Share) = causeOfIdleUnits(E);
  }
  return D;
}

StringRef gpuocc::modeText(Mode M) {
  return M == Mode::LatencyBound ? "latency-bound" : "throughput-bound";
}

StringRef gpuocc::diagnosisCauseKey(DiagnosisCause C) {
  switch (C) {
  case DiagnosisCause::BusyUnit:
    return "busy-unit";
  case DiagnosisCause::FewWarps:
    return "few-warps";
  case DiagnosisCause::SmallGrid:
    return "small-grid";
  case DiagnosisCause::SlowRequests:
    return "slow-requests";
  case DiagnosisCause::UncountedUnit:
    return "uncounted-unit";
  case DiagnosisCause::ShortLaunch:
    return "short-launch";
  }
  llvm_unreachable("covered switch");
}
