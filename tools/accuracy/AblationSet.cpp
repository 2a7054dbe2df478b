//===- AblationSet.cpp - Recorded sets without a mechanism ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AblationSet.h"
#include "Statistics.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace gpuocc;
using namespace llvm;

Mechanisms AblationRun::used() const {
  Mechanisms Used;
  if (Without)
    Used.leaveOut(*Without);
  return Used;
}

bool AblationRun::readsAnew() const {
  return Without && mechanismInfo(*Without).Stage == MechanismStage::Read;
}

std::optional<double> AblationFigures::time() const {
  return geometricMean(TimesOff);
}

std::optional<double> AblationFigures::instructions() const {
  return geometricMean(InstructionsOff);
}

std::optional<double> AblationFigures::worstTime() const {
  if (TimesOff.empty())
    return std::nullopt;
  return *llvm::max_element(TimesOff);
}

std::optional<double> AblationFigures::mix() const {
  if (MixesOff.empty())
    return std::nullopt;
  return std::accumulate(MixesOff.begin(), MixesOff.end(), 0.0) /
         double(MixesOff.size());
}

std::optional<double> AblationFigures::limiter() const {
  if (LimitersJudged == 0)
    return std::nullopt;
  return double(LimitersRight) / LimitersJudged;
}

Expected<FactsFile> AblationSources::read(StringRef File,
                                          const SourceOptions &Options,
                                          const AblationRun &Run) {
  if (!Run.readsAnew()) {
    if (auto Known = Kept.find(File.str()); Known != Kept.end())
      return Known->second;
    Expected<FactsFile> Facts = readSource(File, Options);
    if (Facts)
      Kept[File.str()] = *Facts;
    return Facts;
  }
  SourceOptions Own = Options;
  Own.Used = Run.used();
  return readSource(File, Own);
}
