//===- Gate.cpp - What a change may not bring -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Gate.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static bool isRefused(const FindingSummary &F, const FailOn &Criteria) {
  if (Criteria.Gain && F.Gain && *F.Gain >= *Criteria.Gain)
    return true;
  return any_of(Criteria.Rules,
                [&](RuleId Rule) { return ruleName(Rule) == F.Rule; });
}

bool GateFault::isUntimed() const {
  return !Finding && !Worse && Change->Kind == ChangeKind::Untimed;
}

StringRef GateFault::criterion() const {
  if (Finding)
    return Finding->Rule;
  if (isUntimed())
    return "cannot-compare";
  return Worse ? countedResourceKey(*Worse) : StringRef("slowdown");
}

/// The findings that came with \p Change.
static std::vector<const FindingSummary *> newFindings(const KernelChange &C) {
  if (C.Before || !C.After)
    return C.Appeared;
  std::vector<const FindingSummary *> All;
  for (const FindingSummary &F : C.After->Findings)
    All.push_back(&F);
  return All;
}

std::vector<GateFault> gpuocc::gateFaults(ArrayRef<KernelChange> Changes,
                                          const FailOn &Criteria) {
  return gateFaults(Changes, [&](const KernelChange &) -> const FailOn & {
    return Criteria;
  });
}

std::vector<GateFault> gpuocc::gateFaults(
    ArrayRef<KernelChange> Changes,
    function_ref<const FailOn &(const KernelChange &)> CriteriaOf) {
  std::vector<GateFault> Faults;
  std::set<std::tuple<StringRef, StringRef, unsigned, unsigned>> Seen;
  auto Add = [&](const KernelChange &C, const FindingSummary &F) {
    if (Seen.insert({F.Rule, F.File, F.Line, F.Column}).second)
      Faults.push_back({&C, &F});
  };
  for (const KernelChange &C : Changes)
    if (C.Kind == ChangeKind::Broken)
      for (const FindingSummary &F : C.After->Findings)
        Add(C, F);
  for (const KernelChange &C : Changes)
    if (C.Kind == ChangeKind::Untimed ||
        !failures(ArrayRef(C), CriteriaOf(C)).empty())
      Faults.push_back({&C});
  for (const KernelChange &C : Changes)
    for (CountedResource R : worseCounts(C, CriteriaOf(C)))
      Faults.push_back({&C, nullptr, R});
  for (const KernelChange &C : Changes)
    for (const FindingSummary *F : newFindings(C))
      if (isRefused(*F, CriteriaOf(C)))
        Add(C, *F);
  return Faults;
}
