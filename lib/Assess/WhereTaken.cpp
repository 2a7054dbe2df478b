//===- WhereTaken.cpp - Code that only data lets a warp get to ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WhereTaken.h"
#include "DecidingFactor.h"
#include "Geometry.h"
#include "Message.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace gpuocc;
using namespace llvm;

/// Branches whose other side is looked at, those with most code there first.
static constexpr size_t MostBranches = 2;

namespace {

struct PlaceRule {
  RuleId Rule;
  RuleFunction Find;
};

/// Lines of the source with code that warps execute.
class ExecutedLines {
public:
  ExecutedLines(const KernelFacts &Facts, const ExecutionProfile &Profile) {
    for (const Operation &Op : Facts.Operations)
      if (Op.Block < Profile.Blocks.size() &&
          Profile.Blocks[Op.Block].ExecutionsPerWarp > 0 &&
          Op.Location < Facts.Locations.size())
        insert(placeToShow(Facts.Locations[Op.Location]));
  }

  bool has(const SourcePlace &Place) const {
    return Lines.count({Place.File, Place.Line}) != 0;
  }

private:
  std::set<std::pair<std::string, unsigned>> Lines;

  void insert(const SourcePlace &Place) {
    Lines.insert({Place.File, Place.Line});
  }
};

} // namespace

/// Rules that speak of a place in the code.
static constexpr PlaceRule PlaceRules[] = {
    {RuleId::UncoalescedAccess, findUncoalescedAccess},
    {RuleId::BankConflict, findBankConflict},
    {RuleId::DivergentBranch, findDivergentBranch},
    {RuleId::DivergentLoop, findDivergentLoop},
    {RuleId::SlowInstruction, findSlowInstruction},
    {RuleId::LocalMemory, findLocalMemory},
    {RuleId::AtomicContention, findAtomicContention},
};

/// Does no walked warp execute what \p F speaks of?
static bool isUnreached(const Case &C, const ExecutedLines &Executed,
                        const Finding &F) {
  if (F.Access < C.Profile.Accesses.size())
    return C.Profile.Accesses[F.Access].RequestsPerWarp <= 0;
  if (F.Branch < C.Profile.Branches.size())
    return C.Profile.Branches[F.Branch].ExecutionsPerWarp <= 0;
  const SourcePlace Place = placeToShow(F.Location);
  return Place.isValid() && !Executed.has(Place);
}

/// "where the branch at a.cu:17 goes on to line 18: ", which is where \p F
/// holds.
static void restrict(PricedFinding &F,
                     const BranchProbabilityProfile &Probability) {
  const bool SeldomGoesThere = Probability.Share <= 0;
  const Evidence Where[] = {
      {"", "where the branch at "},
      named("Where", Probability.Place),
      {"", SeldomGoesThere ? " goes on to line " : " does not go on to line "},
      named("WhereLine", Twine(Probability.Line)),
      {"", ": "}};
  F.Message.insert(F.Message.begin(), std::begin(Where), std::end(Where));
  F.Gain = Known<double>::unknown("data decides whether the code runs");
  F.Fixed = nullptr;
}

/// Finds in \p There, the launch of \p C in which \p BranchProbabilities are
/// turned round.
static void findIn(const Case &C, Case There,
                   const BranchProbabilityProfile &Probability, Findings &Out) {
  const ExecutedLines Executed(C.Facts, C.Profile);
  auto IsNew = [&](const Finding &F) {
    return isUnreached(C, Executed, F) &&
           none_of(Out, [&](const Finding &Other) {
             return Other.Rule == F.Rule && Other.Location == F.Location;
           });
  };
  There.IsWanted = IsNew;
  Findings Found;
  for (const PlaceRule &R : PlaceRules)
    if (!is_contained(C.Options.Suppress, ruleName(R.Rule)))
      R.Find(There, Found);
  for (PricedFinding &F : Found) {
    if (F.Remark != RemarkKind::Passed || !IsNew(F) ||
        (F.Gain && *F.Gain < C.Options.MinimumGain))
      continue;
    restrict(F, Probability);
    Out.push_back(std::move(F));
  }
}

/// Whether \p Other, with \p BranchProbabilities turned round, is another
/// kernel than what
/// \p P predicts.
static void compare(const Prediction &P, const Prediction &Other,
                    BranchProbabilityProfile &Probability) {
  Probability.InstructionsPerWarp =
      std::fabs(Other.InstructionsPerWarp - P.InstructionsPerWarp);
  Probability.Decides = isFar(Other.InstructionsPerWarp, P.InstructionsPerWarp);
  if (!P.Time || !Other.Time)
    return;
  Probability.OtherwiseNs = Other.Time->Ns;
  Probability.Decides |= isFar(Other.Time->Ns, P.Time->Ns);
}

Findings
gpuocc::findWhereTaken(const Case &C, Profiler Profile,
                       std::vector<BranchProbabilityProfile> &Probabilities) {
  Findings Out;
  std::vector<BranchProbabilityProfile *> OneSided;
  for (BranchProbabilityProfile &Of : Probabilities) {
    if (isOneSided(Of))
      OneSided.push_back(&Of);
    else
      Of.Decides = Of.InstructionsPerWarp >=
                   (DecidingFactor - 1) * C.Predicted.InstructionsPerWarp;
  }
  // All lie in one array: its order decides between equals.
  llvm::sort(OneSided, [](const BranchProbabilityProfile *A,
                          const BranchProbabilityProfile *B) {
    return std::make_pair(-A->InstructionsPerWarp, A) <
           std::make_pair(-B->InstructionsPerWarp, B);
  });
  if (C.Budget.perRule() == 0 || C.LeavesQuestions)
    OneSided.clear();
  for (BranchProbabilityProfile *Of :
       ArrayRef(OneSided).take_front(MostBranches)) {
    Launch L = C.Launched;
    L.BranchProbabilities[Of->Place] = {Of->Share <= 0 ? 1.0 : 0.0, "assumed"};
    const ExecutionProfile There =
        Profile(C.Facts, L, geometryOf(C.Device, C.Predicted.BlocksPerSm),
                effortOfQuestion(C.Options.Questions.get(), CacheLevels::All));
    const Prediction P =
        C.Model.predict(C.Facts, There, L, PredictDetail::Comparison);
    compare(C.Predicted, P, *Of);
    PricingBudget Budget(C.Facts.Operations.size());
    Case Case{C.Facts,  C.Unspilled, L,         There,   P,      C.Device,
              C.Limits, C.Block,     C.Options, C.Model, Budget, C.InParallel};
    Case.WhereTaken = true;
    findIn(C, std::move(Case), *Of, Out);
  }
  return Out;
}
