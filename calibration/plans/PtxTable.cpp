//===- PtxTable.cpp - Latency of PTX instructions -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/PtxTable.h"
#include "Session.h"
#include "Tools.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Warps of an SM with which the code of one PTX instruction runs at its peak,
/// and that fit an SM whatever registers it takes (64 a thread).
static constexpr unsigned PeakWarps = 32;

/// Warps per cycle per SM that get through the code of \p Spec once.
///
/// Source: Lemeire, Cornelis and Segers 2016, equation 4, for software special
/// functions.
static Expected<json::Value> measureThroughput(Session &S, CuFunction F,
                                               const ArithmeticSpec &Spec) {
  if (Error E = allowShared(S, F, 160 * 1024))
    return std::move(E);
  Launch L = S.fillSms(F, PeakWarps, S.sms());
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.curveRepeats(), Clock::Sm);
  if (!Samples)
    return Samples.takeError();
  for (double &X : *Samples)
    X = Spec.Unroll * PeakWarps / X;
  return measured(summarize(*Samples), Take::Mean, "warp_inst/cycle/SM",
                  "dependent chain of 32, all SMs, " +
                      std::to_string(PeakWarps) +
                      " warps, loop control included");
}

/// Arafa et al. 2019, Table II: each PTX instruction as the driver's compiler
/// makes it with and without optimization.
Error measurePtxTable(Session &S) {
  static constexpr int Levels[] = {4, 0};
  ArrayRef<ArithmeticSpec> Specs = ptxTableSpecs();
  for (size_t I = 0; I < Specs.size(); ++I) {
    const ArithmeticSpec &Spec = Specs[I];
    if (S.lacks(Spec.Key, arithmeticModule(Spec, S.G.target())))
      continue;
    json::Object Entry;
    for (int Level : Levels) {
      Expected<Module> M =
          S.G.load(arithmeticModule(Spec, S.G.target()), Level);
      if (!M)
        return joinErrors(createStringError("in '%s'", Spec.Key),
                          M.takeError());
      Expected<CuFunction> F = M->function(arithmeticKernelName(1));
      if (!F)
        return F.takeError();
      Expected<CuDevicePtr> In =
          S.G.input(arithmeticInput(Spec.Kind, Spec.Width));
      if (!In)
        return In.takeError();
      Launch L;
      L.Function = *F;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, S.repeats(), Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      for (double &X : *Samples)
        X /= Spec.Unroll;
      Entry[Level ? "O3" : "O0"] =
          measured(summarize(*Samples), Take::Minimum, "cycle",
                   "dependent chain of 32, one warp, loop control included");
      if (Level == 0 || !S.fits(PeakWarps))
        continue;
      Expected<json::Value> Throughput = measureThroughput(S, *F, Spec);
      if (!Throughput)
        return Throughput.takeError();
      Entry["throughput_per_cycle_sm"] = std::move(*Throughput);
    }
    S.Db.set("ptx_instructions", Spec.Key, std::move(Entry));
    S.OnProgress(double(I + 1) / Specs.size());
  }
  return Error::success();
}

} // namespace gpuocc::calibration
