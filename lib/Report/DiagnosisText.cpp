//===- DiagnosisText.cpp - Diagnoses in words -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <iterator>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::unitText(Resource R) {
  struct Row {
    Resource Unit;
    StringLiteral Text;
  };
  static constexpr Row Rows[] = {
      {Resource::Issue, "instruction issue"},
      {Resource::Fma, "the FMA pipe"},
      {Resource::Alu, "the ALU pipe"},
      {Resource::Fp16, "the FP16 pipe"},
      {Resource::Fp64, "the FP64 pipe"},
      {Resource::Xu, "the XU pipe"},
      {Resource::Tensor, "the tensor pipe"},
      {Resource::Lsu, "load/store issue"},
      {Resource::Adu, "the address divergence unit"},
      {Resource::Cbu, "the branch unit"},
      {Resource::Uniform, "the uniform datapath"},
      {Resource::Shared, "shared memory"},
      {Resource::Cluster, "the shared memory of other blocks"},
      {Resource::L1, "the L1 cache"},
      {Resource::L2, "L2 cache bandwidth"},
      {Resource::Dram, "DRAM bandwidth"},
      {Resource::Host, "the bus to host memory"},
      {Resource::Barrier, "the barrier unit"},
      {Resource::Latency, "latency"},
      {Resource::Launch, "the start of blocks"},
  };
  static_assert(std::size(Rows) == NumResources);
  return find_if(Rows, [&](const Row &Of) { return Of.Unit == R; })->Text;
}

/// What the warps that are there reach: "64 active warps per SM reach 76 % of
/// the bound by DRAM bandwidth; 86 reach 90 %".
static std::string reachText(const Prediction &P) {
  if (P.Bounds.empty())
    return "no unit is in use for long";
  auto Reach = [](StringRef Shown) {
    return Shown == "1" ? " reaches " : " reach ";
  };
  const std::string Active = formatNumber(P.ActiveWarpsPerSm);
  const std::string Most = formatWarps(P.Needed.P90);
  std::string Needed = std::isfinite(P.Needed.P90)
                           ? Most + Reach(Most) + "90 %"
                           : "no number of warps reaches 90 %";
  return Active + " active " + plural(Active, "warp") + " per SM" +
         Reach(Active) + formatPercent(P.Diagnosed.Share) +
         " of the bound by " + unitText(P.Bounds.front().What).str() + "; " +
         Needed;
}

static std::string causeText(const Prediction &P) {
  const Diagnosis &D = P.Diagnosed;
  const StringRef OverTheLaunch = D.LaunchKnown ? " over the launch" : "";
  switch (D.Cause) {
  case DiagnosisCause::BusyUnit:
    return unitText(D.Unit).str() + " is at " + formatPercent(D.Share) +
           " of its peak" + OverTheLaunch.str();
  case DiagnosisCause::FewWarps:
    return reachText(P);
  case DiagnosisCause::SmallGrid:
    return "the grid is too small to fill the SMs: " + reachText(P);
  case DiagnosisCause::SlowRequests:
    return unitText(P.Bounds.front().What).str() +
           " serves these requests at " + formatPercent(D.Share) +
           " of its peak" + OverTheLaunch.str();
  case DiagnosisCause::UncountedUnit:
    return unitText(P.Bounds.front().What).str() +
           " sets the pace: the busiest unit is at " + formatPercent(D.Share) +
           " of its peak" + OverTheLaunch.str();
  case DiagnosisCause::ShortLaunch:
    return "launch, start and end leave the units idle for " +
           formatPercent(D.Share) + " of the time";
  }
  llvm_unreachable("covered switch");
}

std::string gpuocc::whyText(const Prediction &P) {
  std::string Text = causeText(P);
  if (!P.Diagnosed.LaunchKnown)
    Text += "; no grid is known, so the SMs are taken as full";
  return Text;
}
