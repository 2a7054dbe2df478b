//===- BlockCounts.cpp - Executions of the blocks of machine code ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCounts.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

BlockCounts::BlockCounts(const ViewJoin &Join, const KernelFacts &Mir,
                         const ExecutionProfile &Profile,
                         const KernelFacts &Sass)
    : Join(Join), Mir(Mir), Profile(Profile), Sass(Sass),
      Warm(Sass.Blocks.size()), Predecessors(Sass.Blocks.size()) {
  for (uint32_t B = 0; B != Sass.Blocks.size(); ++B) {
    if (Join.IsCold[B])
      continue;
    for (uint32_t S : Sass.Blocks[B].Successors)
      if (!Join.IsCold[S]) {
        Warm[B].push_back(S);
        Predecessors[S].push_back(B);
      }
  }
  Order = reversePostOrder(Warm);
  Position.assign(Sass.Blocks.size(), NoIndex);
  for (uint32_t I = 0; I != Order.size(); ++I)
    Position[Order[I]] = I;
  RegionOf.assign(Sass.Blocks.size(), NoIndex);
  for (uint32_t B = 0; B != Sass.Blocks.size(); ++B) {
    uint32_t L = Sass.Blocks[B].Loop;
    while (L != NoIndex && Join.Loop[L] == NoIndex)
      L = Sass.Loops[L].Parent;
    RegionOf[B] = L;
  }
  findGroups();
  findWitnesses();
}

void BlockCounts::findGroups() {
  Dominators Above = Dominators::of(Warm);
  Dominators After = Dominators::ofReversed(Warm);
  GroupOf.resize(Sass.Blocks.size());
  for (uint32_t B = 0; B != GroupOf.size(); ++B)
    GroupOf[B] = B;
  for (uint32_t B : Order)
    for (uint32_t D = Above.parent(B); D != NoIndex; D = Above.parent(D))
      if (Sass.Blocks[D].Loop == Sass.Blocks[B].Loop && After.dominates(B, D)) {
        GroupOf[B] = GroupOf[D];
        break;
      }
}

uint32_t BlockCounts::mirLoopOfRegion(uint32_t Block) const {
  uint32_t Region = RegionOf[Block];
  return Region == NoIndex ? NoIndex : Join.Loop[Region];
}

void BlockCounts::findWitnesses() {
  size_t N = Sass.Blocks.size();
  Witness.assign(N, NoIndex);
  Witnesses.resize(N);
  std::vector<Evidence> Best(N, Evidence::None);
  std::vector<std::map<uint32_t, unsigned>> Votes(N);
  for (uint32_t I = 0; I != Sass.Operations.size(); ++I) {
    const Operation &Op = Sass.Operations[I];
    uint32_t From = Join.BlockOfOp[I];
    if (From == NoIndex || Join.IsCold[Op.Block] ||
        Mir.Blocks[From].Loop != mirLoopOfRegion(Op.Block))
      continue;
    uint32_t Br = Sass.Blocks[Op.Block].Branch;
    // What is predicated runs whenever the block does.
    bool IsGuarded = Op.Guard.isValue();
    Evidence Kind = Evidence::Movable;
    if (Br != NoIndex && Sass.Branches[Br].Op == I &&
        Join.Branch[Br] != NoIndex)
      Kind = Evidence::Branch;
    else if (IsGuarded)
      continue;
    else if (Op.Access != NoIndex ||
             (!Op.Emits.empty() && Op.Emits[0].Class == InstClass::Barrier))
      Kind = Evidence::Access;
    uint32_t Group = GroupOf[Op.Block];
    if (Kind > Best[Group]) {
      Best[Group] = Kind;
      Votes[Group].clear();
    }
    if (Kind == Best[Group])
      ++Votes[Group][From];
  }
  for (uint32_t Group = 0; Group != N; ++Group) {
    unsigned Most = 0;
    for (auto [From, Count] : Votes[Group]) {
      if (Count > Most) {
        Most = Count;
        Witness[Group] = From;
      }
      if (Best[Group] != Evidence::Movable)
        Witnesses[Group].push_back(From);
    }
    if (Best[Group] == Evidence::Movable)
      Witnesses[Group].push_back(Witness[Group]);
  }
  findParts();
  findUnrolledWitnesses();
}

void BlockCounts::findUnrolledWitnesses() {
  using Key = std::pair<uint32_t, std::string>;
  Shared.assign(Sass.Blocks.size(), 0);
  IsPart.assign(Sass.Blocks.size(), false);
  std::map<Key, unsigned> Copies;
  std::vector<std::map<uint32_t, SmallVector<Key, 8>>> Held(Sass.Blocks.size());
  for (uint32_t I = 0; I != Sass.Operations.size(); ++I) {
    const Operation &Op = Sass.Operations[I];
    if (Join.BlockOfOp[I] == NoIndex || Join.IsCold[Op.Block] ||
        Op.Guard.isValue())
      continue;
    ++Copies[{Op.Origin, Op.Opcode}];
    if (Witnesses[GroupOf[Op.Block]].empty())
      Held[GroupOf[Op.Block]][Join.BlockOfOp[I]].push_back(
          {Op.Origin, Op.Opcode});
  }
  for (uint32_t Group = 0; Group != Held.size(); ++Group) {
    size_t Most = 0;
    for (auto &[From, Keys] : Held[Group]) {
      if (Keys.size() <= Most || Mir.Blocks[From].Loop == NoIndex)
        continue;
      Most = Keys.size();
      Witness[Group] = From;
      SmallVector<unsigned, 16> Of;
      for (const Key &K : Keys)
        Of.push_back(Copies[K]);
      llvm::sort(Of);
      Shared[Group] = Of[Of.size() / 2];
    }
    if (Most == 0)
      continue;
    auto Known = Parts.find(Mir.Blocks[Witness[Group]].Loop);
    if (Known != Parts.end()) {
      std::map<Key, unsigned> Here;
      for (const Key &K : Held[Group][Witness[Group]])
        ++Here[K];
      SmallVector<unsigned, 16> Of;
      for (const auto &[K, Count] : Here)
        Of.push_back(Count);
      llvm::sort(Of);
      Known->second.push_back({Of[Of.size() / 2], NoIndex, Group});
      IsPart[Group] = true;
      Witnesses[Group].push_back(Witness[Group]);
    } else if (Shared[Group] > 1) {
      Witnesses[Group].push_back(Witness[Group]);
    } else {
      // A single copy may as well have been moved here.
      Shared[Group] = 0;
      Witness[Group] = NoIndex;
    }
  }
  for (auto &[From, Of] : Parts)
    llvm::sort(Of, [](const Part &A, const Part &B) {
      return std::make_tuple(B.Copies, A.Body, A.Group) <
             std::make_tuple(A.Copies, B.Body, B.Group);
    });
}

double BlockCounts::entries(ArrayRef<double> Executions,
                            uint32_t MirLoop) const {
  const gpuocc::Loop &L = Mir.Loops[MirLoop];
  double Sum = 0;
  for (uint32_t B = 0; B != Mir.Blocks.size(); ++B) {
    if (!is_contained(Mir.Blocks[B].Successors, L.Header) ||
        is_contained(L.Blocks, B))
      continue;
    if (Mir.Blocks[B].Successors.size() != 1)
      return Executions[L.Header] /
             std::max(1.0, Profile.Loops[MirLoop].TripCount);
    Sum += Executions[B];
  }
  return Sum;
}

void BlockCounts::findParts() {
  for (uint32_t L = 0; L != Sass.Loops.size(); ++L)
    if (Join.Loop[L] != NoIndex && !Join.IsCold[Sass.Loops[L].Header])
      Parts[Join.Loop[L]].push_back({Join.Copies[L], L, NoIndex});
}

/// Passes of each part that together make \p Trips iterations.
std::vector<double> BlockCounts::sharedPasses(ArrayRef<Part> Parts,
                                              double Trips) {
  std::vector<double> Passes(Parts.size());
  double Left = Trips;
  uint32_t LastLoop = NoIndex;
  for (size_t I = 0; I != Parts.size(); ++I)
    if (Parts[I].Body != NoIndex)
      LastLoop = I;
  for (size_t I = 0; I != Parts.size();) {
    // Loops with equally many iterations stand for different entries.
    size_t End = I + 1;
    while (Parts[I].Body != NoIndex && End != Parts.size() &&
           Parts[End].Body != NoIndex && Parts[End].Copies == Parts[I].Copies)
      ++End;
    double Here = Left / Parts[I].Copies;
    bool TakesRest = I <= LastLoop && LastLoop < End;
    if (!TakesRest || End != Parts.size())
      Here = std::floor(Here);
    if (Parts[I].Body == NoIndex)
      Here = std::min(1.0, Here);
    for (size_t K = I; K != End; ++K)
      Passes[K] = Here / double(End - I);
    Left -= Here * Parts[I].Copies;
    I = End;
  }
  return Passes;
}

std::vector<double> BlockCounts::passes(ArrayRef<double> Executions) const {
  std::vector<double> Passes(Sass.Loops.size() + Sass.Blocks.size());
  for (const auto &[From, Of] : Parts) {
    double Iterations = Executions[Mir.Loops[From].Header];
    double Entries = entries(Executions, From);
    if (Entries <= 0)
      continue;
    // The mean over entries that differ by one iteration.
    double Trips = Iterations / Entries, Low = std::floor(Trips);
    std::vector<double> AtLow = sharedPasses(Of, Low);
    std::vector<double> AtHigh = sharedPasses(Of, Low + 1);
    for (size_t I = 0; I != Of.size(); ++I) {
      double Mean = AtLow[I] + (Trips - Low) * (AtHigh[I] - AtLow[I]);
      size_t At =
          Of[I].Body != NoIndex ? Of[I].Body : Sass.Loops.size() + Of[I].Group;
      Passes[At] = Entries * Mean;
    }
  }
  return Passes;
}

double BlockCounts::witnessed(uint32_t Group, ArrayRef<double> Executions,
                              ArrayRef<double> Passes) const {
  double Most = 0;
  for (uint32_t From : Witnesses[Group])
    Most = std::max(Most, Executions[From]);
  if (IsPart[Group])
    return Passes[Sass.Loops.size() + Group];
  if (Shared[Group] > 0)
    return Most / Shared[Group];
  uint32_t Region = RegionOf[Group];
  if (Region == NoIndex)
    return Most;
  double Header = Executions[Mir.Loops[Join.Loop[Region]].Header];
  return Header > 0 ? Passes[Region] * Most / Header : 0;
}

std::vector<double> BlockCounts::counts(ArrayRef<double> Executions) const {
  std::vector<double> Counts(Sass.Blocks.size(), 0.0);
  std::vector<double> Passes = passes(Executions);
  for (uint32_t B : Order) {
    uint32_t Group = GroupOf[B];
    if (Group != B) {
      Counts[B] = Counts[Group];
      continue;
    }
    if (!Witnesses[B].empty()) {
      Counts[B] = witnessed(B, Executions, Passes);
      continue;
    }
    // Flow in over forward edges, less what is known to go elsewhere.
    double In = B == 0;
    for (uint32_t P : Predecessors[B]) {
      if (Position[P] >= Position[B])
        continue;
      double Out = Counts[P];
      unsigned Sharing = 1;
      for (uint32_t S : Warm[P]) {
        if (S == B)
          continue;
        if (Predecessors[S].size() == 1 && !Witnesses[GroupOf[S]].empty())
          Out -= witnessed(GroupOf[S], Executions, Passes);
        else
          ++Sharing;
      }
      In += std::max(0.0, Out) / Sharing;
    }
    Counts[B] = In;
  }
  return Counts;
}
