//===- BranchProbability.cpp - How often branches on loaded data go a way -===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/BranchProbability.h"
#include "Analysis/ReachedBlocks.h"
#include "Slice/LoopForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Share of the instructions of a kernel, or of its requests to memory, from
/// which on an assumption is named: a store that all warps make to one word
/// takes longer than the loads before it.
static constexpr double NamedShare = 0.05;

std::string gpuocc::placeText(const SourcePlace &Place) {
  if (!Place.isValid())
    return "";
  return (sys::path::filename(Place.File) + ":" + Twine(Place.Line)).str();
}

std::vector<uint32_t> gpuocc::blocksOfSide(const KernelFacts &Facts,
                                           uint32_t Branch, unsigned Target) {
  const gpuocc::Branch &B = Facts.Branches[Branch];
  const uint32_t Join = Facts.Blocks[B.Block].PostDominator;
  const uint32_t Around[] = {Join, B.Block};
  const std::vector<bool> Own = reachedBlocks(Facts, B.Targets[Target], Around);
  const std::vector<bool> Other =
      reachedBlocks(Facts, B.Targets[1 - Target], Around);
  std::vector<uint32_t> Blocks;
  for (uint32_t I = 0; I < Own.size(); ++I)
    if (Own[I] && !Other[I])
      Blocks.push_back(I);
  return Blocks;
}

static SourcePlace placeOfBranch(const KernelFacts &Facts, uint32_t Branch) {
  const uint32_t Op = Facts.Branches[Branch].Op;
  return Op < Facts.Operations.size()
             ? Facts.placeOf(Facts.Operations[Op].Location)
             : SourcePlace();
}

/// The first line of \p Blocks behind \p Place, in its file; 0 for none.
static unsigned firstLineBehind(const KernelFacts &Facts,
                                ArrayRef<uint32_t> Blocks,
                                const SourcePlace &Place) {
  unsigned First = 0;
  for (uint32_t Block : Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const uint32_t Location = Facts.Operations[I].Location;
      if (Location >= Facts.Locations.size())
        continue;
      for (const SourcePlace &At : Facts.Locations[Location].Places)
        if (At.File == Place.File && At.Line >= Place.Line &&
            (First == 0 || At.Line < First))
          First = At.Line;
    }
  }
  return First;
}

std::optional<BranchSide> gpuocc::sideInSource(const KernelFacts &Facts,
                                               uint32_t Branch) {
  const gpuocc::Branch &B = Facts.Branches[Branch];
  const SourcePlace Place = placeOfBranch(Facts, Branch);
  if (B.Indexed || B.Targets.size() != 2 || !Place.isValid())
    return std::nullopt;
  std::optional<BranchSide> Side;
  for (unsigned Target : {0u, 1u})
    if (unsigned Line =
            firstLineBehind(Facts, blocksOfSide(Facts, Branch, Target), Place);
        Line && (!Side || Line < Side->Line))
      Side = BranchSide{Target, Line};
  return Side;
}

namespace {

/// Weighs the branches of a kernel.
class ProbabilityFinder {
public:
  ProbabilityFinder(const KernelFacts &Facts, const Slice &S,
                    const ExecutionProfile &Profile, double DefaultTripCount)
      : Facts(Facts), S(S), Profile(Profile),
        DefaultTripCount(DefaultTripCount) {
    for (uint32_t I = 0; I < Facts.Blocks.size(); ++I) {
      Work.push_back(Facts.instructionsOf(I));
      Total += Work[I] * Profile.Blocks[I].ExecutionsPerWarp;
    }
    NumAccesses.resize(Facts.Blocks.size());
    for (uint32_t I = 0; I < Facts.Accesses.size(); ++I) {
      ++NumAccesses[Facts.Operations[Facts.Accesses[I].Op].Block];
      TotalRequests += Profile.Accesses[I].RequestsPerWarp;
    }
  }

  std::optional<AssumedProbability> probabilityOf(uint32_t Branch) const {
    const gpuocc::Branch &B = Facts.Branches[Branch];
    const BranchProfile &P = Profile.Branches[Branch];
    if (P.Class != BranchClass::DataDependent || P.ExecutionsPerWarp <= 0 ||
        isKnownFromCode(B) || isCountedExit(B.Block) || entersLoop(Branch))
      return std::nullopt;
    const std::optional<BranchSide> Side = sideInSource(Facts, Branch);
    const double Resting = std::fabs(ifAlways(Branch, 0) - ifAlways(Branch, 1));
    const double RestingRequests =
        std::fabs(requestsIfAlways(Branch, 0) - requestsIfAlways(Branch, 1));
    if (!Side || (Resting < NamedShare * Total &&
                  RestingRequests < NamedShare * TotalRequests))
      return std::nullopt;
    BranchProbabilityProfile Probability;
    Probability.Place = placeText(placeOfBranch(Facts, Branch));
    Probability.Line = Side->Line;
    Probability.Share =
        Side->Target == 0 ? P.TakenLaneFraction : 1 - P.TakenLaneFraction;
    Probability.InstructionsPerWarp = Resting;
    Assumption A;
    raw_string_ostream(A.What) << "share of the branch at " << Probability.Place
                               << " that goes on to line " << Probability.Line;
    raw_string_ostream(A.Taken) << format("%.2g", Probability.Share);
    A.HowToSupply = "odds in the configuration";
    A.Location = Facts.Operations[B.Op].Location;
    if (const std::optional<Guess> Likely = guessOf(B, P))
      A.setGuess(*Likely);
    return AssumedProbability{std::move(A), std::move(Probability)};
  }

private:
  const KernelFacts &Facts;
  const Slice &S;
  const ExecutionProfile &Profile;
  double DefaultTripCount;
  std::vector<double> Work, NumAccesses;
  double Total = 0, TotalRequests = 0;

  std::optional<Guess> guessOf(const gpuocc::Branch &B,
                               const BranchProfile &P) const {
    if (S.Blocks[B.Block].Record) {
      Guess G;
      G.By = Mechanism::RecordProbability;
      G.Value = P.TakenLaneFraction;
      G.Evidence = "few values beat all those before them";
      return G;
    }
    return S.Blocks[B.Block].Probability
               ? S.Blocks[B.Block].Probability
               : guessCondition({Facts, {}}, S.Used, B.Condition);
  }

  /// Nobody need supply what the code tells.
  bool isKnownFromCode(const gpuocc::Branch &B) const {
    return B.Block < S.Blocks.size() && S.Blocks[B.Block].Probability &&
           S.Blocks[B.Block].Probability->By != Mechanism::WorkingSide;
  }

  /// Executions of \p Block for each time that \p From goes there, as far as
  /// loops around it that are not around \p From say.
  double turnsFrom(uint32_t From, uint32_t Block) const {
    double Turns = 1;
    for (const Loop &L : Facts.Loops)
      if (is_contained(L.Blocks, Block) && !is_contained(L.Blocks, From))
        Turns *= DefaultTripCount;
    return Turns;
  }

  /// The exit of a loop that runs as often as its trip count says.
  bool isCountedExit(uint32_t Block) const {
    return any_of(S.Loops, [&](const LoopForm &Form) {
      return any_of(Form.Exits, [&](const LoopExit &E) {
        return E.Block == Block && !E.leavesSoon();
      });
    });
  }

  /// What asks whether a loop runs at all, which compilers put before it.
  bool entersLoop(uint32_t Branch) const {
    const SourcePlace Place = placeOfBranch(Facts, Branch);
    return any_of(Facts.Loops, [&](const Loop &L) {
      const SourcePlace At = Facts.placeOf(L.Location);
      return At.File == Place.File && At.Line == Place.Line &&
             !is_contained(L.Blocks, Facts.Branches[Branch].Block);
    });
  }

  /// Instructions per warp of a side if every execution of \p Branch went
  /// there.
  double ifAlways(uint32_t Branch, unsigned Target) const {
    const gpuocc::Branch &B = Facts.Branches[Branch];
    if (Target >= B.Targets.size())
      return 0;
    const uint32_t To = B.Targets[Target];
    if (To >= Facts.Blocks.size() || Facts.Blocks[To].PredicatedInto == B.Block)
      return 0;
    double Sum = 0;
    for (uint32_t Block : blocksOfSide(Facts, Branch, Target))
      Sum += Work[Block] * executionsIfAlways(Branch, To, Block);
    return Sum;
  }

  /// Executions of \p Block per warp if every execution of \p Branch went to
  /// \p To.
  double executionsIfAlways(uint32_t Branch, uint32_t To,
                            uint32_t Block) const {
    const double Branches = Profile.Branches[Branch].ExecutionsPerWarp;
    const double Entered =
        std::min(1.0, Profile.Blocks[To].ExecutionsPerWarp / Branches);
    return Entered > 0
               ? Profile.Blocks[Block].ExecutionsPerWarp / Entered
               : Branches * turnsFrom(Facts.Branches[Branch].Block, Block);
  }

  /// The same in requests to memory. What is predicated makes none where no
  /// lane goes there.
  double requestsIfAlways(uint32_t Branch, unsigned Target) const {
    const gpuocc::Branch &B = Facts.Branches[Branch];
    if (Target >= B.Targets.size() || B.Targets[Target] >= Facts.Blocks.size())
      return 0;
    double Sum = 0;
    for (uint32_t Block : blocksOfSide(Facts, Branch, Target))
      if (const double Accesses = NumAccesses[Block])
        Sum += Accesses * executionsIfAlways(Branch, B.Targets[Target], Block);
    return Sum;
  }
};

} // namespace

std::vector<AssumedProbability> gpuocc::assumedProbabilities(
    const KernelFacts &Facts, const Slice &S, const ExecutionProfile &Profile,
    ArrayRef<std::optional<double>> Given, double DefaultTripCount) {
  std::vector<AssumedProbability> Out;
  const ProbabilityFinder Finder(Facts, S, Profile, DefaultTripCount);
  for (uint32_t I = 0; I < Facts.Branches.size(); ++I)
    if (I >= Given.size() || !Given[I])
      // Unrolling repeats a branch.
      if (std::optional<AssumedProbability> Probability =
              Finder.probabilityOf(I);
          Probability && none_of(Out, [&](const AssumedProbability &Known) {
            return Known.InWords.What == Probability->InWords.What;
          }))
        Out.push_back(std::move(*Probability));
  return Out;
}
