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
#include <utility>
#include <vector>

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

/// Changes that plans can go on from, those that bring most first.
static std::vector<const PricedFinding *> byGain(const Case &C,
                                                 const Findings &Found) {
  std::vector<const PricedFinding *> Sorted;
  for (const PricedFinding &F : Found)
    if (F.Fixed && F.Gain && *F.Gain >= C.Options.MinimumGain)
      Sorted.push_back(&F);
  // Of equal ones the first.
  llvm::sort(Sorted, [](const PricedFinding *A, const PricedFinding *B) {
    return std::pair(-*A->Gain, A) < std::pair(-*B->Gain, B);
  });
  return Sorted;
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

/// Adds \p F to \p Out, a change of the kernel of \p C, and what pays behind
/// it; nothing where the kernel would be no faster.
static void extend(const Case &C, const PricedFinding &F, Plan &Out) {
  Stage S = stageOf(C, F);
  if (!S.Predicted.Time || S.Predicted.Time->Ns >= Out.afterNs())
    return;
  PlanStep Step;
  Step.Rule = ruleName(F.Rule).str();
  Step.Location = F.Location;
  Step.What = withoutPrice(F);
  Step.TimeNs = S.Predicted.Time->Ns;
  Step.Gain = Out.afterNs() / Step.TimeNs;
  Step.BoundAfter = S.Predicted.Diagnosed.Unit;
  Out.Steps.push_back(std::move(Step));
  const Case Then = caseOf(C, S);
  Out.Ceiling = planCeiling(Then);
  if (F.EndsPlan || isAtCeiling(Out.Ceiling, Out.afterNs()) ||
      Out.Steps.size() == MostSteps)
    return;
  const Findings Behind = findAll(Then);
  if (const auto Next = byGain(Then, Behind); !Next.empty())
    extend(Then, *Next.front(), Out);
}

/// First steps that are tried: the change that brings most may be in the way of
/// two others. Each costs as much as to assess the kernel up to three times.
static size_t firstSteps(const Case &C) {
  constexpr size_t MostFirst = 3, OperationsOfEach = 400;
  return std::clamp<size_t>(OperationsOfEach * MostFirst /
                                std::max<size_t>(1, C.Facts.Operations.size()),
                            1, MostFirst);
}

Known<Plan> gpuocc::planChanges(const Case &C, const Findings &Found) {
  if (!C.Predicted.Time)
    return Known<Plan>::unknown(C.Predicted.Time.reason());
  // Another first step has to bring more than prices differ by chance.
  constexpr double Better = 1.05;
  Plan Empty;
  Empty.BeforeNs = C.Predicted.Time->Ns;
  Empty.Ceiling = planCeiling(C);
  Plan Best = Empty;
  const std::vector<const PricedFinding *> First = byGain(C, Found);
  for (size_t I = 0; I != std::min(First.size(), firstSteps(C)); ++I) {
    if (isAtCeiling(Best.Ceiling, Best.afterNs()) && !Best.Steps.empty())
      break;
    Plan Other = Empty;
    extend(C, *First[I], Other);
    if (Best.Steps.empty() || Other.afterNs() * Better < Best.afterNs())
      Best = std::move(Other);
  }
  return Best;
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
