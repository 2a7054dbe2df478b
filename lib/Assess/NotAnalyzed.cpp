//===- NotAnalyzed.cpp - What could not be analyzed, and why --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "PricingBudget.h"
#include "Rules.h"

using namespace gpuocc;
using namespace llvm;

/// What the budget of the kernel left out.
static void findUnpriced(const Case &C, Findings &Out) {
  if (C.Budget.leftOut().empty())
    return;
  std::string Places;
  for (auto [Rule, Count] : C.Budget.leftOut())
    Places += (Places.empty() ? "" : ", ") + std::to_string(Count) + " of " +
              ruleName(Rule).str();
  FindingWriter W(RuleId::NotAnalyzed, kernelLocation(C.Facts));
  W << "not analyzed: "
    << named("What", "further places, which cost less: " + Places)
    << "; a kernel of " << named("Operations", Twine(C.Facts.Operations.size()))
    << " " << plural(C.Facts.Operations.size(), "operation")
    << " has a budget of " << named("Budget", Twine(C.Budget.perRule()))
    << " priced " << plural(C.Budget.perRule(), "place") << " a rule";
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findNotAnalyzed(const Case &C, Findings &Out) {
  findUnpriced(C, Out);
  for (const AnalysisGap &Gap : C.Facts.Gaps) {
    FindingWriter W(RuleId::NotAnalyzed,
                    locationOrKernel(C.Facts, Gap.Location));
    W << "not analyzed: " << named("What", Gap.What);
    Out.push_back(std::move(W.finding()));
  }
  for (size_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    const AccessProfile &A = C.Profile.Accesses[I];
    if (A.Exact != Exactness::Unknown || A.ExecutionsPerWarp <= 0)
      continue;
    const MemoryAccess &Access = C.Facts.Accesses[I];
    FindingWriter W(
        RuleId::NotAnalyzed,
        locationOrKernel(C.Facts, C.Facts.Operations[Access.Op].Location));
    W.finding().Access = uint32_t(I);
    W << "lane addresses of this " << memorySpaceText(Access.Space) << " "
      << accessKindText(Access.Kind) << " are unknown: "
      << named("Reason", A.Reason.empty() ? "no reason given" : A.Reason);
    Out.push_back(std::move(W.finding()));
  }
}
