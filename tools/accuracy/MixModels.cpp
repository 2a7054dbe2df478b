//===- MixModels.cpp - Our model and the published ones on one mix --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixModels.h"
#include "baselines/Baghsorkhi.h"
#include "baselines/CudaGuide.h"
#include "baselines/HongKim.h"
#include "baselines/Sim.h"
#include "baselines/ZhangOwens.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Model/Worksheet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static bool isFromDram(MixKind Kind) {
  return Kind == MixKind::DramLoad || Kind == MixKind::RandomLoad;
}

/// Bytes that DRAM moves for one memory instruction.
static double bytesPerAccess(MixKind Kind) {
  return Kind == MixKind::RandomLoad ? 1024 : 128;
}

Expected<MixCase> gpuocc::mixCase(const MixSpec &Spec,
                                  const DeviceModel &Device,
                                  const MixGrid &Measured,
                                  const Mechanisms &Used) {
  MixCase Case;
  Case.Spec = Spec;
  Case.Measured = &Measured;
  Expected<AlphaMix> Closed = alphaMix(Spec, Device);
  if (!Closed)
    return Closed.takeError();
  Case.Closed = Case.ClosedWithPins = *Closed;
  Case.Memory.A = Closed->MemLatencyCycles;
  Case.Schedulers = Closed->IssuePerCycle;
  if (isFromDram(Spec.Kind)) {
    Known<double> Pins = Device.get(Quantity::MemoryBandwidthPeak);
    Known<double> Sms = Device.get(Quantity::SmCount);
    Known<double> Clock = Device.get(Quantity::SmClockMhz);
    double Bytes = bytesPerAccess(Spec.Kind);
    // Without the pins' bandwidth its users take the sustained one.
    if (Pins && Sms && Clock) {
      double Ghz = *Clock / 1000;
      Case.ClosedWithPins.MemPerCycle = memoryPerCycle(*Pins, *Sms, Ghz, Bytes);
      Case.Pins = {*Sms, Ghz * 128 / *Pins, Bytes / 128};
    }
    // Table 6.5 of the thesis is of streams.
    const ContentionFit *Fit = Device.contention("dram_read");
    if (Fit && Spec.Kind == MixKind::DramLoad)
      Case.Memory.Terms.push_back({Fit->B.Value, Fit->C.Value / Bytes});
  }
  MixKernel Kernel = mixKernel(Spec);
  // Of random sectors some are still in L2, each half of which has its own.
  Known<double> L2Bytes = Device.get(Quantity::L2Bytes);
  if (Spec.Kind == MixKind::RandomLoad && L2Bytes) {
    constexpr double RangeBytes = 1 << 30;
    double Halves = Device.get(Quantity::L2Partitions).valueOr(1);
    for (AccessProfile &P : Kernel.Profile.Accesses)
      P.L2HitFraction = std::min(1.0, *L2Bytes / Halves / RangeBytes);
  }
  Case.Ours =
      Predictor(Device, Used).predict(Kernel.Facts, Kernel.Profile, Kernel.How);
  Case.GroupsPerWarp = Kernel.GroupsPerWarp;
  return Case;
}

double gpuocc::mixBound(const MixCase &Case) {
  return volkov::throughputBound(Case.Closed);
}

static double oursRefined(const MixCase &C, double Warps) {
  ArrayRef<CurvePoint> Curve = C.Ours.Curve;
  const CurvePoint *At =
      llvm::lower_bound(Curve, Warps, [](const CurvePoint &P, double Warps) {
        return P.Warps < Warps;
      });
  if (At == Curve.end())
    return Curve.empty() ? 0 : Curve.back().WarpsPerCycle * C.GroupsPerWarp;
  return At->WarpsPerCycle * C.GroupsPerWarp;
}

static double oursBasic(const MixCase &C, double Warps) {
  double Apart = Warps / C.Ours.Latency.CyclesPerWarp;
  return C.GroupsPerWarp * std::min(Apart, warpThroughputBound(C.Ours.Bounds));
}

/// What the published models take for occupancy.
static double chains(const MixCase &C, double Warps) {
  return Warps * C.Spec.Ilp;
}

static double zhangOwens(const MixCase &C, double Warps) {
  const MixPoint *Alone =
      C.Measured->find(C.Spec.Ilp, 0, unsigned(std::lround(Warps)));
  double Alu = std::min(chains(C, Warps) / C.Closed.AluLatencyCycles,
                        C.Closed.AluPerCycle);
  if (!Alone)
    return zhangowens::throughput(C.Closed, chains(C, Warps));
  return zhangowens::throughputFromRates(C.Spec.Alpha, Alu, Alone->PerCycleSm);
}

template <huang::Policy P>
static double huangAlone(const MixCase &C, double Warps) {
  return huang::throughput(C.Closed, P, C.Schedulers, chains(C, Warps));
}

template <huang::Policy P>
static double huangContended(const MixCase &C, double Warps) {
  if (C.Pins.Cores == 0)
    return huangAlone<P>(C, Warps);
  // Requests of the whole SM queue for memory, warps of one scheduler for
  // issue.
  double PerScheduler = chains(C, Warps) / C.Schedulers;
  huang::Bandwidth Pins = C.Pins;
  Pins.Cores *= C.Schedulers;
  double Cpi = huang::contendedCpi(C.Closed, P, Pins, PerScheduler);
  return C.Schedulers / (Cpi * (1 + C.Spec.Alpha));
}

static constexpr MixModel Models[] = {
    {"this project, refined", oursRefined},
    {"this project, basic", oursBasic},
    {"Volkov 2016, refined",
     [](const MixCase &C, double Warps) {
       return volkov::refinedThroughput(C.Closed, C.Memory, chains(C, Warps));
     }},
    {"Volkov 2016, basic",
     [](const MixCase &C, double Warps) {
       return volkov::throughput(C.Closed, chains(C, Warps));
     }},
    {"CUDA guide",
     [](const MixCase &C, double Warps) {
       return cudaguide::throughput(C.Closed, chains(C, Warps));
     }},
    {"Hong and Kim 2009",
     [](const MixCase &C, double Warps) {
       return hongkim::throughput(C.ClosedWithPins, chains(C, Warps));
     }},
    {"Baghsorkhi et al. 2010",
     [](const MixCase &C, double Warps) {
       return baghsorkhi::throughput(C.Closed, chains(C, Warps));
     }},
    {"Zhang and Owens 2011", zhangOwens},
    {"Sim et al. 2012",
     [](const MixCase &C, double Warps) {
       return sim::throughput(C.Closed, chains(C, Warps));
     }},
    {"Huang et al. 2014, RR", huangAlone<huang::Policy::RoundRobin>},
    {"Huang et al. 2014, GTO", huangAlone<huang::Policy::GreedyThenOldest>},
    {"  RR with bandwidth", huangContended<huang::Policy::RoundRobin>},
    {"  GTO with bandwidth", huangContended<huang::Policy::GreedyThenOldest>},
};

ArrayRef<MixModel> gpuocc::mixModels() { return Models; }
