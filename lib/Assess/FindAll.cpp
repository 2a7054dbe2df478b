//===- FindAll.cpp - All rules over one case ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindAll.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// In the order in which findings without a price are shown.
static constexpr std::pair<RuleFunction, RuleId> RuleTable[] = {
#define RULE(Enum, Remark, Title) {find##Enum, RuleId::Enum},
#include "gpuocc/Report/Rules.def"
};

double AssessOptions::minimumGainOf(RuleId Rule) const {
  auto Own = MinimumGainOfRule.find(ruleName(Rule).str());
  return Own == MinimumGainOfRule.end() ? MinimumGain : Own->second;
}

/// What holds of a kernel whose instructions were not read.
static constexpr RuleId WithoutInstructions[] = {
    RuleId::KernelVerdict,     RuleId::CannotRun,  RuleId::LocalMemory,
    RuleId::AssemblerAdvisory, RuleId::Assumption, RuleId::NotAnalyzed};

static bool applies(RuleId Rule, const Case &C) {
  return !is_contained(C.Options.Suppress, ruleName(Rule)) &&
         (!C.Facts.Operations.empty() ||
          is_contained(WithoutInstructions, Rule));
}

static bool isHidden(const Finding &F, const AssessOptions &Options) {
  if (is_contained(Options.Suppress, ruleName(F.Rule)))
    return true;
  return F.Gain && *F.Gain < Options.minimumGainOf(F.Rule);
}

static unsigned loopDepth(const KernelFacts &Facts, uint32_t Block) {
  const uint32_t Loop =
      Block < Facts.Blocks.size() ? Facts.Blocks[Block].Loop : NoIndex;
  return Loop < Facts.Loops.size() ? Facts.Loops[Loop].Depth : 0;
}

/// What ranks \p F where no time is known: how deep in loops the place is, and
/// what executions there cost more than they have to.
static std::pair<unsigned, double> rankWithoutTime(const Case &C,
                                                   const Finding &F) {
  if (F.Access < C.Profile.Accesses.size()) {
    const AccessProfile &A = C.Profile.Accesses[F.Access];
    const uint32_t Op = C.Facts.Accesses[F.Access].Op;
    const double Excess =
        std::max(A.SectorsPerRequest - A.IdealSectorsPerRequest,
                 A.WavefrontsPerRequest - A.IdealWavefrontsPerRequest);
    return {Op < C.Facts.Operations.size()
                ? loopDepth(C.Facts, C.Facts.Operations[Op].Block)
                : 0,
            A.RequestsPerWarp * Excess};
  }
  if (F.Branch < C.Profile.Branches.size()) {
    const BranchProfile &B = C.Profile.Branches[F.Branch];
    return {loopDepth(C.Facts, C.Facts.Branches[F.Branch].Block),
            B.ExecutionsPerWarp * B.DivergentFraction};
  }
  return {0, 0};
}

/// Verdict first, then by gain; findings without one keep their order.
static Findings sorted(const Case &C, Findings Found) {
  using Key = std::tuple<bool, bool, unsigned, double, size_t>;
  constexpr unsigned MostLoops = 1000;
  std::vector<Key> Order;
  for (size_t I = 0; I != Found.size(); ++I) {
    const PricedFinding &F = Found[I];
    const auto [Depth, Excess] = C.Deciding.empty()
                                     ? std::pair(0u, F.Gain.valueOr(0))
                                     : rankWithoutTime(C, F);
    Order.emplace_back(F.Rule != RuleId::KernelVerdict, !F.Gain,
                       MostLoops - std::min(Depth, MostLoops), -Excess, I);
  }
  llvm::sort(Order);
  Findings Out;
  for (const Key &K : Order)
    Out.push_back(std::move(Found[std::get<size_t>(K)]));
  return Out;
}

Findings gpuocc::findAll(const Case &C, Findings Others) {
  Findings Found = std::move(Others);
  for (const auto &[Find, Rule] : RuleTable)
    if (applies(Rule, C)) {
      TimeTraceScope Scope("gpu-occupancy rule", ruleName(Rule));
      Find(C, Found);
    }
  erase_if(Found,
           [&](const PricedFinding &F) { return isHidden(F, C.Options); });
  return sorted(C, std::move(Found));
}
