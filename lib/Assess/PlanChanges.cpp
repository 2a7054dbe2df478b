//===- PlanChanges.cpp - Changes that pay one after the other -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanChanges.h"
#include "FindAll.h"
#include "Message.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Model/Rates.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Prices are within some ten percent of what hardware does: steps behind the
/// third would rest on more error than gain.
static constexpr unsigned MostSteps = 3;

/// Closer to the ceiling than that, nothing is left to gain.
static constexpr double AtCeiling = 1.05;

namespace {

/// A kernel on the way: what Case refers to.
struct Stage {
  std::shared_ptr<const KernelVariant> Kernel;
  Prediction Predicted;
  Parallelism InParallel;
  PricingBudget Budget;
};

} // namespace

/// The change that brings most among those that plans can go on from.
static const PricedFinding *bestOf(const Findings &Found) {
  const PricedFinding *Best = nullptr;
  for (const PricedFinding &F : Found)
    if (F.Fixed && F.Gain && (!Best || *F.Gain > *Best->Gain))
      Best = &F;
  return Best;
}

/// The message up to the price.
static std::string withoutPrice(const Finding &F) {
  std::string Text;
  for (const Evidence &E : F.Message) {
    if (StringRef(E.Text).starts_with(". Estimated gain"))
      break;
    if (!E.RecordOnly)
      Text += E.Text;
  }
  return Text;
}

static Stage stageOf(const Case &C, const PricedFinding &F) {
  const KernelVariant &V = *F.Fixed;
  return {F.Fixed, C.Model.predict(V.Facts, V.Profile, V.Launched),
          parallelism(V.Facts, V.Profile, V.Launched, C.Device),
          PricingBudget(V.Facts.Operations.size())};
}

static Case caseOf(const Case &C, Stage &S) {
  const KernelVariant &V = *S.Kernel;
  return {V.Facts,         V.Facts,
          V.Launched,      V.Profile,
          S.Predicted,     C.Device,
          C.Limits,        blockResources(V.Facts, V.Launched),
          C.Options,       C.Model,
          S.Budget,        S.InParallel,
          /*IsFixed=*/true};
}

/// True if \p TimeNs leaves nothing to gain.
static bool isAtCeiling(const Known<PlanCeiling> &Ceiling, double TimeNs) {
  return Ceiling && TimeNs <= Ceiling->TimeNs * AtCeiling;
}

Known<Plan> gpuocc::planChanges(const Case &C, const Findings &Found) {
  if (!C.Predicted.Time)
    return Known<Plan>::unknown(C.Predicted.Time.reason());
  Plan Out;
  Out.BeforeNs = C.Predicted.Time->Ns;
  Out.Ceiling = planCeiling(C);
  Findings Now = Found;
  while (Out.Steps.size() < MostSteps) {
    const PricedFinding *Best = bestOf(Now);
    if (!Best || *Best->Gain < C.Options.MinimumGain)
      break;
    Stage S = stageOf(C, *Best);
    if (!S.Predicted.Time || S.Predicted.Time->Ns >= Out.afterNs())
      break;
    PlanStep Step;
    Step.Rule = ruleName(Best->Rule).str();
    Step.Location = Best->Location;
    Step.What = withoutPrice(*Best);
    Step.TimeNs = S.Predicted.Time->Ns;
    Step.Gain = Out.afterNs() / Step.TimeNs;
    Step.BoundAfter = S.Predicted.Diagnosed.Unit;
    Out.Steps.push_back(std::move(Step));
    const bool IsLast = Best->EndsPlan;
    const Case Then = caseOf(C, S);
    Out.Ceiling = planCeiling(Then);
    if (IsLast || isAtCeiling(Out.Ceiling, Out.afterNs()))
      break;
    if (Out.Steps.size() != MostSteps)
      Now = findAll(Then);
  }
  return Out;
}

/// Warps of the launch on each SM, were they spread evenly.
static double warpsOnSm(const Case &C, double SmCount) {
  return double(C.Launched.Grid->Value.count()) *
         double(C.Launched.warpsPerBlock()) / SmCount;
}

/// Cycles of the pipes for arithmetic that no change of memory saves.
static std::optional<PlanCeiling> arithmetic(const Case &C, double SmCount,
                                             double Ghz) {
  PerResource<double> Cycles = {};
  for (const ClassCount &Class : C.Predicted.Mix) {
    const Resource Pipe = defaultPipe(Class.Class);
    const Known<double> Rate =
        C.Device.get(Class.Class, TimingField::ThroughputPerCycleSm);
    if ((warpFlops(Class.Class).PerInstruction > 0 || Pipe == Resource::Xu) &&
        Rate && *Rate > 0)
      Cycles[size_t(Pipe)] += Class.PerWarp / *Rate;
  }
  const auto Most = llvm::max_element(Cycles);
  if (*Most <= 0)
    return std::nullopt;
  return PlanCeiling{Resource(Most - Cycles.begin()),
                     *Most * warpsOnSm(C, SmCount) / Ghz};
}

/// What is read and written from DRAM at least once.
static std::optional<PlanCeiling> memory(const Case &C, double SmCount,
                                         double Ghz) {
  const double Warps = warpsOnSm(C, SmCount) * SmCount;
  const ExecutionProfile &P = C.Profile;
  const double Read = std::min(P.FootprintReadBytes.valueOr(0),
                               C.Predicted.DramReadBytesPerWarp * Warps);
  const double Written = std::min(P.FootprintWrittenBytes.valueOr(0),
                                  C.Predicted.DramWriteBytesPerWarp * Warps);
  const Known<double> Rate = dramPeak(Read, Written, C.Device);
  if (Read + Written <= 0 || !Rate || *Rate <= 0)
    return std::nullopt;
  return PlanCeiling{Resource::Dram, (Read + Written) / SmCount / *Rate / Ghz};
}

Known<PlanCeiling> gpuocc::planCeiling(const Case &C) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  const Known<double> Mhz = C.Device.get(Quantity::SmClockMhz);
  if (!SmCount || !Mhz || !C.Launched.Grid || !C.Predicted.Time)
    return Known<PlanCeiling>::unknown("no launch is known");
  constexpr double GigaPerMega = 1e-3;
  const double Ghz = *Mhz * GigaPerMega;
  std::optional<PlanCeiling> Ceiling = memory(C, *SmCount, Ghz);
  const std::optional<PlanCeiling> Computed = arithmetic(C, *SmCount, Ghz);
  if (Computed && (!Ceiling || Computed->TimeNs > Ceiling->TimeNs))
    Ceiling = Computed;
  if (!Ceiling)
    return Known<PlanCeiling>::unknown(
        "neither data nor arithmetic is counted");
  Ceiling->TimeNs += C.Predicted.Time->LaunchNs;
  return *Ceiling;
}
