//===- GateExceptions.cpp - Kernels that a gate judges otherwise ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GateExceptions.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::today() {
  const sys::TimePoint<> Now = std::chrono::system_clock::now();
  return formatv("{0:%Y-%m-%d}", Now);
}

static Error checkAllowed(const GateException &E) {
  std::vector<StringRef> Words = criterionWords();
  append_range(Words, ruleNames());
  for (const std::string &Word : E.Allow)
    if (!is_contained(Words, Word))
      return createStringError(E.Source + ": error: 'allow' has no '" + Word +
                               "'" + didYouMean(Word, Words));
  return Error::success();
}

static bool isFor(const GateException &E, const KernelSummary &K) {
  LaunchSpec Pattern;
  Pattern.Kernel = E.Kernel;
  KernelFacts Named;
  Named.Name = K.Name;
  Named.Demangled = K.Demangled;
  return matchesKernel(Pattern, Named);
}

Expected<const Config *> GateExceptions::configOf(const KernelSummary &K) {
  const std::string Path = ConfigPath.empty() ? findConfig(K.File) : ConfigPath;
  auto [Slot, IsNew] = Files.try_emplace(Path);
  if (!IsNew || Path.empty())
    return &Slot->second;
  Expected<Config> Read = loadConfig(Path, ruleNames());
  if (!Read)
    return Read.takeError();
  Slot->second = std::move(*Read);
  for (const GateException &E : Slot->second.Gate)
    if (Error Wrong = checkAllowed(E))
      return std::move(Wrong);
  return &Slot->second;
}

Error GateExceptions::load(ArrayRef<KernelChange> Changes,
                           const FailOn &Criteria) {
  Common = Criteria;
  for (const KernelChange &C : Changes) {
    Expected<const Config *> File = configOf(C.either());
    if (!File)
      return File.takeError();
    for (const GateException &E : (*File)->Gate) {
      if (!isFor(E, C.either()))
        continue;
      Exceptions[&C].push_back(&E);
      FailOn &Its = Own.try_emplace(&C, Criteria).first->second;
      for (const std::string &Text : E.FailOn)
        if (Error Wrong = addCriterion(Text, Its))
          return createStringError(E.Source +
                                   ": error: " + toString(std::move(Wrong)));
    }
  }
  return Error::success();
}

/// True where \p Word, of a list `allow`, stands for the criterion of \p Fault.
static bool standsFor(StringRef Word, const GateFault &Fault) {
  struct RuleWord {
    StringLiteral Word;
    RuleId Rule;
  };
  static constexpr RuleWord Rows[] = {{"cannot-run", RuleId::CannotRun},
                                      {"advisory", RuleId::AssemblerAdvisory}};
  const StringRef Criterion = Fault.criterion();
  if (Word == Criterion)
    return true;
  if (Word == "gain")
    return Fault.Finding && Fault.Finding->Gain;
  return any_of(Rows, [&](const RuleWord &Row) {
    return Word == Row.Word && Criterion == ruleName(Row.Rule);
  });
}

const GateException *
GateExceptions::allowing(const GateFault &Fault,
                         const GateException *&Ended) const {
  auto Its = Exceptions.find(Fault.Change);
  if (Its == Exceptions.end())
    return nullptr;
  for (const GateException *E : Its->second) {
    if (none_of(E->Allow,
                [&](StringRef Word) { return standsFor(Word, Fault); }))
      continue;
    // Days of this form sort as texts.
    if (E->Until.empty() || Today <= E->Until)
      return E;
    Ended = E;
  }
  return nullptr;
}

std::vector<GateFault>
GateExceptions::faults(ArrayRef<KernelChange> Changes,
                       std::vector<std::string> &Notes) const {
  std::vector<GateFault> Faults =
      gateFaults(Changes, [&](const KernelChange &C) -> const FailOn & {
        auto Its = Own.find(&C);
        return Its == Own.end() ? Common : Its->second;
      });
  auto Note = [&](const GateFault &Fault, const GateException &E,
                  const Twine &How) {
    Notes.push_back(("'" + baseName(Fault.Change->either().Demangled) +
                     "': " + Fault.criterion() + " " + How + ": " + E.Reason +
                     " (" + E.Source + ")")
                        .str());
  };
  erase_if(Faults, [&](const GateFault &Fault) {
    const GateException *Ended = nullptr;
    const GateException *Allows = allowing(Fault, Ended);
    if (Allows)
      Note(Fault, *Allows,
           Allows->Until.empty() ? "is allowed"
                                 : "is allowed until " + Allows->Until);
    else if (Ended)
      Note(Fault, *Ended, "was allowed until " + Ended->Until);
    return Allows != nullptr;
  });
  return Faults;
}
