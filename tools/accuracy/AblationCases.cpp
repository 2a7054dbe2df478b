//===- AblationCases.cpp - Measured kernels without a mechanism -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AblationSet.h"
#include "CaseLaunch.h"
#include "CaseRecord.h"
#include "CaseSources.h"
#include "KernelTable.h"
#include "Statistics.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class CaseSet final : public AblationSet {
public:
  CaseSet(CaseSetOptions Options, DeviceModel Device,
          std::vector<TruthCase> Cases)
      : Options(std::move(Options)), Device(std::move(Device)),
        Cases(std::move(Cases)) {
    Source.Architecture = this->Device.Architecture;
  }

  Expected<AblationFigures> predict(const AblationRun &Run) override {
    if (!Run.readsAnew())
      return predict(Run, Source, Options.Facts);
    const StringRef Key = mechanismInfo(*Run.Without).Key;
    SourceOptions Own = Source;
    Own.Used = Run.used();
    SmallString<128> Facts;
    if (!Options.Facts.empty()) {
      Facts = Options.Facts;
      sys::path::append(Facts, "without-" + Key);
    }
    return predict(Run, Own, Facts);
  }

private:
  const CaseSetOptions Options;
  const DeviceModel Device;
  const std::vector<TruthCase> Cases;
  SourceOptions Source;

  /// Facts are kept in the folder \p Facts, launches in that of all runs.
  Expected<AblationFigures>
  predict(const AblationRun &Run, const SourceOptions &From, StringRef Facts) {
    Expected<KeptFacts> Kept = KeptFacts::create(Facts);
    if (!Kept)
      return Kept.takeError();
    CaseSources Sources(Options.Sources, std::move(*Kept), From);
    CaseRecord Record(Cases, Sources, KeptRecords(Options.Facts), Source,
                      Device);
    CaseLaunches Launches(Options.Launches, &Record);
    Predictor Model(Device, Run.used());
    AblationFigures Figures;
    for (const TruthCase &C : Cases)
      if (Error E = predict(C, Sources, Launches, Model, Figures))
        // Cases that `kernels` declines are declined here too.
        consumeError(std::move(E));
    return Figures;
  }

  static Error predict(const TruthCase &C, CaseSources &Sources,
                       CaseLaunches &Launches, Predictor &Model,
                       AblationFigures &Figures) {
    Expected<const KernelFacts *> Facts = Sources.find(C);
    if (!Facts)
      return Facts.takeError();
    Expected<Launch> L = Launches.find(C, **Facts);
    if (!L)
      return L.takeError();
    AssessOptions Assess;
    for (unsigned R = 0; R != NumRules; ++R)
      Assess.Suppress.push_back(ruleName(RuleId(R)).str());
    Expected<KernelReport> R = assess(**Facts, std::move(*L), Model, Assess);
    if (!R)
      return R.takeError();
    CaseResult Result;
    Result.Truth = C;
    Result.Predicted = std::move(*R);
    Expected<KernelRow> Row = compareKernel(Result);
    if (!Row)
      return Row.takeError();
    Figures.TimesOff.push_back(Row->timesOff());
    Figures.InstructionsOff.push_back(
        timesOff(Row->Instructions.Predicted, Row->Instructions.Measured));
    ++Figures.LimitersJudged;
    Figures.LimitersRight += Row->LimiterAgrees;
    return Error::success();
  }
};

} // namespace

Expected<std::unique_ptr<AblationSet>>
gpuocc::createCaseSet(CaseSetOptions Options) {
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Regex Only(Options.Only.empty() ? "." : Options.Only);
  std::string Problem;
  if (!Only.isValid(Problem))
    return createStringError("--only '" + Options.Only + "': " + Problem);
  Expected<std::vector<TruthCase>> Cases = loadTruth(Options.Truth);
  if (!Cases)
    return Cases.takeError();
  erase_if(*Cases, [&](const TruthCase &C) { return !Only.match(C.Id); });
  if (Cases->empty())
    return createStringError("no case of '" + Options.Truth +
                             "' is left to compare");
  return std::make_unique<CaseSet>(std::move(Options), std::move(*Device),
                                   std::move(*Cases));
}
