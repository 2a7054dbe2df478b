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
#include "gpuocc/Report/RuleIds.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class CaseSet final : public AblationSet {
public:
  CaseSet(CaseSetOptions Options, DeviceModel Device,
          std::vector<TruthCase> Cases, KeptFacts Kept)
      : Options(std::move(Options)), Device(std::move(Device)),
        Cases(std::move(Cases)), Source(sourceOptions()),
        Sources(this->Options.Sources, std::move(Kept), Source),
        Record(this->Cases, Sources, KeptRecords(this->Options.Facts), Source,
               this->Device),
        Launches(this->Options.Launches,
                 this->Options.Record == "on" ? &Record : nullptr) {}

  Expected<AblationFigures> predict(const AblationRun &Run) override {
    if (!Run.readsAnew())
      return predict(Run, Sources, Launches);
    SourceOptions Own = Source;
    Own.Used = Run.used();
    Expected<KeptFacts> Kept = KeptFacts::create(folderWithout(*Run.Without));
    if (!Kept)
      return Kept.takeError();
    CaseSources Anew(Options.Sources, std::move(*Kept), Own);
    return predict(Run, Anew, Launches);
  }

private:
  const CaseSetOptions Options;
  const DeviceModel Device;
  const std::vector<TruthCase> Cases;
  const SourceOptions Source;
  /// What all runs use that do not read anew; launches are of every run.
  CaseSources Sources;
  CaseRecord Record;
  CaseLaunches Launches;

  SourceOptions sourceOptions() const {
    SourceOptions Source;
    Source.Architecture = Device.Architecture;
    Source.Code = Options.Code;
    Source.CacheFolder = folderOfPtx(Options.Facts);
    return Source;
  }

  /// Where facts are kept that are read without \p M.
  std::string folderWithout(Mechanism M) const {
    if (Options.Facts.empty())
      return "";
    return (Options.Facts + "/without-" + mechanismInfo(M).Key).str();
  }

  Expected<AblationFigures> predict(const AblationRun &Run,
                                    CaseSources &Sources,
                                    CaseLaunches &Launches) const {
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
    Expected<CaseLaunch> L = Launches.find(C, **Facts);
    if (!L)
      return L.takeError();
    AssessOptions Assess;
    for (unsigned R = 0; R != NumRules; ++R)
      Assess.Suppress.push_back(ruleName(RuleId(R)).str());
    Expected<KernelReport> R =
        assess(**Facts, std::move(L->What), Model, Assess);
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
    if (Row->MixDistance)
      Figures.MixesOff.push_back(*Row->MixDistance);
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
  Expected<KeptFacts> Kept = KeptFacts::create(Options.Facts);
  if (!Kept)
    return Kept.takeError();
  return std::make_unique<CaseSet>(std::move(Options), std::move(*Device),
                                   std::move(*Cases), std::move(*Kept));
}
