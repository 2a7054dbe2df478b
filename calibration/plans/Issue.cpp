//===- Issue.cpp - Classes that are timed at issue ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Issue.h"
#include "Tools.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned FullWarps = 32;

/// Cycles of one step of a lone warp, loop control taken off.
static Expected<std::vector<double>> stepCycles(Session &S, Launch L,
                                                double Loop, double Steps) {
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Warp);
  if (!Samples)
    return Samples.takeError();
  for (double &X : *Samples)
    X = (X - Loop) / Steps;
  return Samples;
}

static Error measureSpec(Session &S, const IssueSpec &Spec, CuDevicePtr Buffer,
                         double Loop) {
  if (S.lacks(Spec.Key, Spec.Setup + Twine(Spec.Step).str()))
    return Error::success();
  Expected<CuFunction> One = S.entry(issueKernel(Spec, 1));
  if (!One)
    return One.takeError();
  Expected<CuFunction> Wide = *One;
  if (Spec.WideChains > 1)
    Wide = S.entry(issueKernel(Spec, Spec.WideChains));
  if (!Wide)
    return Wide.takeError();
  auto Set = [&](const char *Key, json::Value V) {
    S.Db.setInstruction(Spec.Key, Key, std::move(V));
  };
  Set("pipe", Spec.Pipe);

  Launch L;
  L.Function = *One;
  L.X = Buffer;
  L.Z = 0;
  double Count = Spec.Steps * Spec.PerStep * Spec.Sharers;
  Expected<std::vector<double>> Alone = stepCycles(S, L, Loop, Count);
  if (!Alone)
    return Alone.takeError();
  if (Spec.Chained) {
    double Beside =
        Spec.Beside
            ? S.Db.instructionValue(Spec.Beside, "latency_cycles").value_or(0)
            : 0;
    std::vector<double> Own = *Alone;
    for (double &X : Own)
      X -= Beside / Spec.Sharers;
    Set("latency_cycles", measured(summarize(Own), Take::Minimum, "cycle",
                                   std::string(Spec.Source) + ", one warp"));
  }
  L.Function = *Wide;
  Expected<std::vector<double>> Issue = stepCycles(S, L, Loop, Count);
  if (!Issue)
    return Issue.takeError();
  std::string Chains = Spec.WideChains > 1
                           ? ", " + std::to_string(Spec.WideChains) + " chains"
                           : "";
  Set("issue_cycles",
      measured(summarize(*Issue), Take::Minimum, "cycle",
               std::string(Spec.Source) + ", one warp" + Chains));

  if (Error E = allowShared(S, *Wide, 160 * 1024))
    return E;
  Launch Full = S.fillSms(*Wide, FullWarps, Spec.OneSm ? 1 : S.sms());
  Full.X = Buffer;
  Full.Z = 0;
  return measureThroughput(S, Spec.Key, Full, Count * FullWarps,
                           std::string(Spec.Source) + ", " +
                               std::to_string(FullWarps) + " warps" + Chains +
                               (Spec.OneSm ? "" : ", all SMs"),
                           30e3);
}

/// Moves cannot be chained: the compiler would see through them.
static Error measureMoves(Session &S, double Loop) {
  static constexpr unsigned Registers = 40;
  Expected<CuFunction> F = S.entry(moves(Registers));
  if (!F)
    return F.takeError();
  if (Error E = allowShared(S, *F, 160 * 1024))
    return E;
  Launch L;
  L.Function = *F;
  Expected<std::vector<double>> Alone = stepCycles(S, L, Loop, Registers + 1);
  if (!Alone)
    return Alone.takeError();
  const char *Source = "41 registers that change places in a loop, as MOV and "
                       "IMAD.MOV in the compiler's mixture";
  S.Db.setInstruction("mov", "pipe", "alu");
  S.Db.setInstruction("mov", "issue_cycles",
                      measured(summarize(*Alone), Take::Minimum, "cycle",
                               std::string(Source) + ", one warp"));
  return measureThroughput(
      S, "mov", S.fillSms(*F, FullWarps, S.sms()),
      (Registers + 1.0) * FullWarps,
      std::string(Source) + ", 32 warps, all SMs, three instructions of loop "
                            "control beside",
      30e3);
}

Error measureIssue(Session &S) {
  Expected<double> Loop = S.loopCycles();
  if (!Loop)
    return Loop.takeError();
  Expected<CuDevicePtr> Buffer = S.zeros(64 << 20);
  if (!Buffer)
    return Buffer.takeError();
  ArrayRef<IssueSpec> Specs = issueSpecs();
  for (size_t I = 0; I < Specs.size(); ++I) {
    // Stores leave the buffer as the next class needs it: zeros.
    if (Error E = S.G.fill(*Buffer, 0, 64 << 20))
      return E;
    if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
      return E;
    if (Error E = S.unlessAbsent(measureSpec(S, Specs[I], *Buffer, *Loop)))
      return joinErrors(createStringError("in class '%s'", Specs[I].Key),
                        std::move(E));
    S.OnProgress(double(I + 1) / (Specs.size() + 1));
  }
  return measureMoves(S, *Loop);
}

} // namespace gpuocc::calibration
