//===- GridSegments.cpp - Blocks of a grid that do unlike work ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/GridSegments.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Samples that were first seen in one block of the grid.
struct Group {
  Dim3 Block = {};
  std::vector<const WarpSample *> Samples;
  double Weight = 0;
  /// Instructions of the mean warp.
  double MeanWork = 0;
  std::vector<double> MeanExecutions, SlowestExecutions;
  /// Of the slowest warp, as WarpSample::RequestShares; empty if not known.
  std::vector<double> SlowestShares;
  /// Warps of a block that make as many requests as the slowest one.
  double WarpsLikeSlowest = 1;
  /// Other warps that do something more often than the slowest one.
  std::vector<const WarpSample *> OtherKinds;
  /// Instructions of the slowest warp of the heaviest block.
  double HeaviestWork = 0;
  /// The warp that other blocks do not have; null for none.
  const WarpSample *HeavyWarp = nullptr;
  /// Instructions by the turn of their warps.
  std::array<double, WarpSample::NumTurns> WorkOfTurn = {};
};

class Splitter {
public:
  Splitter(const KernelFacts &Facts, const ExecutionProfile &Profile,
           unsigned WarpsPerBlock, const Mechanisms &Used)
      : Facts(Facts), Profile(Profile), WarpsPerBlock(WarpsPerBlock),
        UsesKinds(Used.has(Mechanism::SlowestWarp)),
        WorkOf(Facts.Blocks.size()) {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      WorkOf[B] = Facts.instructionsOf(B);
    HasBarrier = any_of(Facts.Operations, meetsAtBarrier);
  }

  std::vector<GridSegment> run() {
    findMeanRequests();
    collect();
    mergeAlike();
    if (Groups.empty())
      return {GridSegment{1, Profile, {Profile, double(WarpsPerBlock)}}};
    double Total = 0;
    for (const Group &G : Groups)
      Total += G.Weight;
    std::vector<GridSegment> Segments;
    for (const Group &G : Groups) {
      double Slowest = work(G.SlowestExecutions);
      GridSegment &S = Segments.emplace_back();
      S.BlockFraction = G.Weight / Total;
      S.Mean = withExecutions(G.MeanExecutions, {});
      S.Slowest = {withExecutions(G.SlowestExecutions, G.SlowestShares),
                   G.WarpsLikeSlowest};
      for (const WarpSample *Kind : G.OtherKinds)
        S.OtherKinds.push_back(
            {withExecutions(Kind->BlockExecutions, sharesOf(*Kind)),
             warpsLike(G, Kind->BlockExecutions, sharesOf(*Kind))});
      S.HeaviestOverSlowest = Slowest > 0 ? G.HeaviestWork / Slowest : 1;
      S.WorkOfTurn = G.WorkOfTurn;
    }
    return Segments;
  }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  unsigned WarpsPerBlock;
  bool UsesKinds, HasBarrier = false;
  std::vector<double> WorkOf;
  std::vector<Group> Groups;
  /// Of each access, by the mean warp of the samples.
  std::vector<double> MeanRequests;

  void findMeanRequests() {
    double All = 0;
    MeanRequests.assign(Facts.Accesses.size(), 0);
    for (const WarpSample &S : Profile.Samples) {
      const ArrayRef<double> Shares = sharesOf(S);
      for (size_t A = 0; A != Shares.size(); ++A)
        MeanRequests[A] +=
            S.Weight * Shares[A] *
            S.BlockExecutions[Facts.Operations[Facts.Accesses[A].Op].Block];
      All += S.Weight;
    }
    for (double &Requests : MeanRequests)
      Requests /= std::max(All, 1e-9);
  }

  double work(ArrayRef<double> Executions) const {
    double Sum = 0;
    for (size_t I = 0; I != Executions.size(); ++I)
      Sum += Executions[I] * WorkOf[I];
    return Sum;
  }

  /// WarpSample::RequestShares of \p S; empty where the code was changed since.
  ArrayRef<double> sharesOf(const WarpSample &S) const {
    return S.RequestShares.size() == Facts.Accesses.size()
               ? ArrayRef(S.RequestShares)
               : ArrayRef<double>();
  }

  /// Requests of a warp that executes blocks of code \p Executions times and of
  /// whose accesses \p Shares are requests; 0 where that is not known.
  double requests(ArrayRef<double> Executions, ArrayRef<double> Shares) const {
    double Sum = 0;
    for (size_t A = 0; A != Shares.size(); ++A)
      Sum +=
          Shares[A] * Executions[Facts.Operations[Facts.Accesses[A].Op].Block];
    return Sum;
  }

  /// Warps of a block of \p G that make as many requests as one that executes
  /// blocks of code \p Executions times; all where that makes none.
  double warpsLike(const Group &G, ArrayRef<double> Executions,
                   ArrayRef<double> Shares) const {
    const double Most = requests(Executions, Shares);
    double Like = 0, All = 0;
    for (const WarpSample *S : G.Samples) {
      const double Own = requests(S->BlockExecutions, sharesOf(*S));
      Like += S->Weight * (Most > 0 ? std::min(1.0, Own / Most) : 1);
      All += S->Weight;
    }
    return All > 0 ? std::max(1.0, WarpsPerBlock * Like / All) : WarpsPerBlock;
  }

  /// \p A does everything about as often as \p B, or more often.
  bool doesAllOf(const WarpSample &A, const WarpSample &B) const {
    // What draws of unknown conditions differ by makes no other kind.
    constexpr double Alike = 0.9;
    auto AtLeast = [&](double X, double Y) { return X >= Y * Alike; };
    for (size_t I = 0; I != A.BlockExecutions.size(); ++I)
      if (!AtLeast(A.BlockExecutions[I], B.BlockExecutions[I]))
        return false;
    const ArrayRef<double> OfA = sharesOf(A), OfB = sharesOf(B);
    for (size_t I = 0; I != OfA.size() && I != OfB.size(); ++I) {
      const uint32_t Block = Facts.Operations[Facts.Accesses[I].Op].Block;
      if (!AtLeast(OfA[I] * A.BlockExecutions[Block],
                   OfB[I] * B.BlockExecutions[Block]))
        return false;
    }
    return true;
  }

  /// The kinds of warps of \p G, slowest first, that no other kind outdoes in
  /// all; without the first.
  std::vector<const WarpSample *> otherKinds(const Group &G) const {
    // More would only be walked in vain: one is the slowest in each stretch.
    constexpr size_t MostKinds = 4;
    std::vector<const WarpSample *> Kinds;
    for (const WarpSample *S : G.Samples)
      if (Kinds.size() < MostKinds && none_of(Kinds, [&](const WarpSample *K) {
            return doesAllOf(*K, *S);
          }))
        Kinds.push_back(S);
    if (!Kinds.empty())
      Kinds.erase(Kinds.begin());
    return Kinds;
  }

  void collect() {
    for (const WarpSample &S : Profile.Samples) {
      if (S.Weight <= 0)
        continue;
      auto G = find_if(Groups, [&](const Group &Known) {
        return Known.Block == S.BlockIndex;
      });
      if (G == Groups.end()) {
        G = Groups.emplace(Groups.end());
        G->Block = S.BlockIndex;
      }
      G->Samples.push_back(&S);
      G->Weight += S.Weight;
    }
    joinVariants();
    for (size_t I = 0, Count = Groups.size(); I != Count; ++I)
      while (std::optional<Group> Rare = takeRareBlocks(Groups[I]))
        Groups.push_back(std::move(*Rare));
    for (Group &G : Groups)
      describe(G);
  }

  double meanWork(const Group &G) const {
    double Sum = 0, Weight = 0;
    for (const WarpSample *S : G.Samples) {
      Sum += S->Weight * work(S->BlockExecutions);
      Weight += S->Weight;
    }
    return Weight > 0 ? Sum / Weight : 0;
  }

  /// Within a factor of two of each other.
  static bool areAlike(double A, double B) { return A <= 2 * B && B <= 2 * A; }

  /// Is \p Part made of warps of blocks like those of \p Whole, whose other
  /// warps are among the samples of \p Whole? Those that work as much in the
  /// mean run as one anyway (mergeAlike).
  bool isVariantOf(const Group &Part, const Group &Whole) const {
    return Part.Samples.size() < Whole.Samples.size() &&
           !areAlike(meanWork(Part), meanWork(Whole)) &&
           all_of(
               Part.Samples,
               [&](const WarpSample *S) {
                 return any_of(Whole.Samples, [&](const WarpSample *Of) {
                   return Of->WarpInBlock == S->WarpInBlock &&
                          areAlike(work(S->BlockExecutions),
                                   work(Of->BlockExecutions));
                 });
               });
  }

  /// A sample stands for all warps that do the same, in whichever block. A warp
  /// that does a little more or less than the same one of other blocks is no
  /// block of its own, of which all warps do as it does: a warp that fetches 63
  /// rows for four others and not 62.
  void joinVariants() {
    for (size_t I = Groups.size(); I-- > 1;)
      for (size_t J = 0; J != I; ++J)
        if (isVariantOf(Groups[I], Groups[J])) {
          Groups[J].Samples.insert(Groups[J].Samples.end(),
                                   Groups[I].Samples.begin(),
                                   Groups[I].Samples.end());
          Groups[J].Weight += Groups[I].Weight;
          Groups.erase(Groups.begin() + ptrdiff_t(I));
          break;
        }
  }

  /// Blocks of \p G that have a warp which most of its blocks do not have and
  /// which works more than twice as much as their others: what one block does
  /// for all. Their other warps are as those of the other blocks.
  std::optional<Group> takeRareBlocks(Group &G) const {
    auto WorkOfWarp = [&](const WarpSample *S) {
      return work(S->BlockExecutions);
    };
    const auto Heaviest =
        llvm::max_element(G.Samples, [&](const auto *A, const auto *B) {
          return WorkOfWarp(A) < WorkOfWarp(B);
        });
    const WarpSample *Heavy = *Heaviest;
    const double Rest = G.Weight - Heavy->Weight;
    const double OfBlocks = Heavy->Weight * WarpsPerBlock;
    double Others = 0;
    for (const WarpSample *S : G.Samples)
      Others += S == Heavy ? 0 : WorkOfWarp(S) * S->Weight;
    if (G.Samples.size() < 2 || OfBlocks > G.Weight / 2 ||
        WorkOfWarp(Heavy) * Rest <= 2 * Others)
      return std::nullopt;
    Group Rare = G;
    Rare.Weight = OfBlocks;
    Rare.HeavyWarp = Heavy;
    G.Samples.erase(Heaviest);
    G.Weight -= OfBlocks;
    return Rare;
  }

  /// The mean of the warps of \p G, and that of the slowest warp of each of its
  /// blocks: as likely one of a kind as a block has warps of that kind and none
  /// that work more.
  void describe(Group &G) const {
    // Of warps that issue the same, those that ask memory for more.
    // Samples lie in one array, so that their order is that of their addresses.
    llvm::sort(G.Samples, [&](const WarpSample *A, const WarpSample *B) {
      auto Rank = [&](const WarpSample *S) {
        return std::pair(-work(S->BlockExecutions),
                         -requests(S->BlockExecutions, sharesOf(*S)));
      };
      return std::pair(Rank(A), A) < std::pair(Rank(B), B);
    });
    G.MeanExecutions.resize(Facts.Blocks.size());
    G.SlowestExecutions.resize(Facts.Blocks.size());
    if (UsesKinds && none_of(G.Samples, [&](const WarpSample *S) {
          return sharesOf(*S).empty();
        }))
      G.SlowestShares.resize(Facts.Accesses.size());
    if (UsesKinds && HasBarrier)
      G.OtherKinds = otherKinds(G);
    double Sampled = 0;
    for (const WarpSample *S : G.Samples)
      Sampled += S == G.HeavyWarp ? 0 : S->Weight;
    const double OfHeavy = G.HeavyWarp ? G.HeavyWarp->Weight : 0;
    double Seen = 0, Left = 1;
    for (const WarpSample *S : G.Samples) {
      // Beside the heavy warp of a block its others are as everywhere.
      const double Part = S == G.HeavyWarp ? 1 : (G.Weight - OfHeavy) / Sampled;
      for (unsigned I = 0; I != WarpSample::NumTurns; ++I)
        G.WorkOfTurn[I] += Part * S->WeightOfTurn[I] * work(S->BlockExecutions);
      const double Weight = Part * S->Weight;
      double Slowest = std::min(Left, Weight / G.Weight * WarpsPerBlock);
      weighIn(G.MeanExecutions, Seen, S->BlockExecutions, Weight);
      weighIn(G.SlowestExecutions, 1 - Left, S->BlockExecutions, Slowest);
      if (!G.SlowestShares.empty())
        weighIn(G.SlowestShares, 1 - Left, sharesOf(*S), Slowest);
      Seen += Weight;
      Left -= Slowest;
    }
    G.WarpsLikeSlowest =
        G.SlowestShares.empty()
            ? WarpsPerBlock
            : warpsLike(G, G.SlowestExecutions, G.SlowestShares);
    G.MeanWork = work(G.MeanExecutions);
    G.HeaviestWork = work(G.SlowestExecutions);
  }

  /// Weighs \p Executions into \p Mean, which has \p Before of the weight.
  static void weighIn(std::vector<double> &Mean, double Before,
                      ArrayRef<double> Executions, double Weight) {
    double Sum = Before + Weight;
    if (Sum <= 0)
      return;
    for (size_t I = 0; I != Executions.size(); ++I)
      Mean[I] = (Mean[I] * Before + Executions[I] * Weight) / Sum;
  }

  /// Other blocks that run as \p To does.
  void addBlocks(Group &To, const Group &G) const {
    weighIn(To.MeanExecutions, To.Weight, G.MeanExecutions, G.Weight);
    weighIn(To.SlowestExecutions, To.Weight, G.SlowestExecutions, G.Weight);
    if (G.SlowestShares.size() == To.SlowestShares.size())
      weighIn(To.SlowestShares, To.Weight, G.SlowestShares, G.Weight);
    else
      To.SlowestShares.clear();
    To.Weight += G.Weight;
    To.MeanWork = work(To.MeanExecutions);
    To.HeaviestWork = std::max(To.HeaviestWork, G.HeaviestWork);
    for (unsigned I = 0; I != WarpSample::NumTurns; ++I)
      To.WorkOfTurn[I] += G.WorkOfTurn[I];
  }

  /// Groups within a factor of two of each other run as one: edges of a grid,
  /// uneven rows.
  void mergeAlike() {
    llvm::sort(Groups, [](const Group &A, const Group &B) {
      return A.MeanWork > B.MeanWork;
    });
    std::vector<Group> Merged;
    for (Group &G : Groups) {
      if (!Merged.empty() && G.MeanWork * 2 >= Merged.back().MeanWork)
        addBlocks(Merged.back(), G);
      else
        Merged.push_back(std::move(G));
    }
    Groups = std::move(Merged);
  }

  /// Lets \p P miss L1 as often for each address as the mean warp does: one
  /// that a loop does not change is in L1 from the first turn on, in however
  /// many turns. \p Ratio: executions of each block over those of the mean.
  void findAgainInL1(const MemoryAccess &A, ArrayRef<double> Ratio,
                     AccessProfile &P) const {
    const Operation *Address = Facts.operationOf(A.Base);
    const double Addresses = Ratio[Address ? Address->Block : 0];
    const double Times = Ratio[Facts.Operations[A.Op].Block];
    if (A.Kind != AccessKind::Load || A.Volatile || Times <= 0 || Times == 1)
      return;
    if (!P.L1WaitsByRequest.empty() && P.L1WaitFraction > 0)
      return scaleMisses(P,
                         waitsOfFirst(P.L1WaitsByRequest, P.RequestsPerWarp) /
                             P.L1WaitFraction);
    if (Addresses > 0 && Times > Addresses)
      scaleMisses(P, Addresses / Times);
  }

  /// Lets \p P miss L1 \p Times as often.
  static void scaleMisses(AccessProfile &P, double Times) {
    P.L1HitFraction = 1 - std::min(1.0, (1 - P.L1HitFraction) * Times);
    P.L1WaitFraction = std::min(1.0, P.L1WaitFraction * Times);
    P.LineVisitFraction = std::min(1.0, P.LineVisitFraction * Times);
  }

  /// The share of the first \p Requests of a warp that wait, of which \p Waits
  /// are AccessProfile::L1WaitsByRequest.
  static double waitsOfFirst(ArrayRef<double> Waits, double Requests) {
    double Waiting = 0, Before = 0;
    for (size_t I = 0; I != Waits.size() && Before < Requests; ++I) {
      const double End =
          I + 1 == Waits.size() ? Requests : std::exp2(double(I + 1)) - 1;
      Waiting += Waits[I] * (std::min(End, Requests) - Before);
      Before = End;
    }
    return Requests > 0 ? Waiting / Requests : 0;
  }

  /// The profile with the execution counts of each block of code replaced, and
  /// what happens in it scaled along, or requests as \p RequestShares says
  /// unless it is empty; without what no formula asks for.
  ExecutionProfile withExecutions(ArrayRef<double> Executions,
                                  ArrayRef<double> RequestShares) const {
    ExecutionProfile P;
    P.Blocks = Profile.Blocks;
    P.Accesses = Profile.Accesses;
    P.Branches = Profile.Branches;
    P.Loops = Profile.Loops;
    P.FootprintReadBytes = Profile.FootprintReadBytes;
    P.FootprintWrittenBytes = Profile.FootprintWrittenBytes;
    std::vector<double> Ratio(Facts.Blocks.size());
    for (size_t I = 0; I != Facts.Blocks.size(); ++I) {
      double Before = P.Blocks[I].ExecutionsPerWarp;
      Ratio[I] = Before > 0 ? Executions[I] / Before : 0;
      P.Blocks[I].ExecutionsPerWarp = Executions[I];
    }
    for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
      const uint32_t Block = Facts.Operations[Facts.Accesses[I].Op].Block;
      P.Accesses[I].ExecutionsPerWarp *= Ratio[Block];
      // A change of the code may have changed the requests of the mean warp.
      const bool IsKnown = !RequestShares.empty() && MeanRequests[I] > 0;
      P.Accesses[I].RequestsPerWarp *=
          IsKnown ? RequestShares[I] * Executions[Block] / MeanRequests[I]
                  : Ratio[Block];
      findAgainInL1(Facts.Accesses[I], Ratio, P.Accesses[I]);
    }
    for (size_t I = 0; I != Facts.Branches.size(); ++I)
      P.Branches[I].ExecutionsPerWarp *= Ratio[Facts.Branches[I].Block];
    return P;
  }
};

} // namespace

/// The most that a scheduler gets, over the mean, where \p Blocks blocks of
/// \p WarpsPerBlock warps run, whose warps of each turn have \p WorkOfTurn.
static double mostOverMean(ArrayRef<double> WorkOfTurn, unsigned WarpsPerBlock,
                           unsigned Blocks) {
  constexpr unsigned Turns = WarpSample::NumTurns;
  const unsigned Step = WarpsPerBlock % Turns ? WarpsPerBlock % Turns : 1;
  std::array<double, Turns> OfScheduler = {};
  for (unsigned B = 0; B != std::max(1u, Blocks); ++B)
    for (unsigned T = 0; T != Turns; ++T)
      OfScheduler[(B * Step + T) % Turns] += WorkOfTurn[T];
  double Sum = 0;
  for (double Work : OfScheduler)
    Sum += Work;
  return Sum > 0 ? *llvm::max_element(OfScheduler) * Turns / Sum : 1;
}

double GridSegment::fullestScheduler(unsigned WarpsPerBlock,
                                     unsigned Blocks) const {
  std::array<double, WarpSample::NumTurns> WarpsOfTurn = {};
  for (unsigned W = 0; W != WarpsPerBlock; ++W)
    ++WarpsOfTurn[W % WarpSample::NumTurns];
  return std::max(1.0, mostOverMean(WorkOfTurn, WarpsPerBlock, Blocks) /
                           mostOverMean(WarpsOfTurn, WarpsPerBlock, Blocks));
}

std::vector<GridSegment> gpuocc::gridSegments(const KernelFacts &Facts,
                                              const ExecutionProfile &Profile,
                                              unsigned WarpsPerBlock,
                                              const Mechanisms &Used) {
  return Splitter(Facts, Profile, WarpsPerBlock, Used).run();
}
