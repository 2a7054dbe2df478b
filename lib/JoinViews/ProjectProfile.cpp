//===- ProjectProfile.cpp - The profile of machine code -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCounts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

KernelFacts gpuocc::withoutPredication(KernelFacts Mir) {
  for (gpuocc::BasicBlock &B : Mir.Blocks)
    B.PredicatedInto = NoIndex;
  return Mir;
}

/// Accesses that the compiler knows nothing of are spills: each lane its own
/// word, side by side, and back soon enough to find it in L1.
static AccessProfile spillProfile(const MemoryAccess &A, double Executions,
                                  const MemoryGeometry &G) {
  constexpr double Lanes = 32;
  AccessProfile P;
  P.ExecutionsPerWarp = P.RequestsPerWarp = Executions;
  double Bytes = Lanes * A.BytesPerLane;
  P.SectorsPerRequest = P.IdealSectorsPerRequest =
      std::max(1.0, Bytes / G.SectorBytes);
  P.LinesPerRequest = P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest =
      std::max(1.0, Bytes / G.LineBytes);
  P.DistinctAddressesPerRequest = Lanes;
  P.LanesPerAddress = 1;
  P.Exact = Exactness::Assumed;
  P.Reason = "not joined to the compiler's view";
  P.Pattern = "taken as side by side";
  if (A.Space == MemorySpace::Local)
    P.L1HitFraction = P.L2HitFraction = 1;
  return P;
}

namespace {

/// Carries a profile over from one view to the other, part by part.
class Projector {
public:
  Projector(const ViewJoin &Join, const KernelFacts &Mir,
            const ExecutionProfile &Profile, const KernelFacts &Sass,
            const MemoryGeometry &Geometry)
      : Join(Join), Mir(Mir), Profile(Profile), Sass(Sass), Geometry(Geometry),
        Counts(Join, Mir, Profile, Sass) {
    for (const BlockProfile &B : Profile.Blocks)
      Executions.push_back(B.ExecutionsPerWarp);
    Here = Counts.counts(Executions);
  }

  ExecutionProfile run() {
    Out.Assumptions = Profile.Assumptions;
    Out.BranchProbabilities = Profile.BranchProbabilities;
    Out.FootprintReadBytes = Profile.FootprintReadBytes;
    Out.FootprintWrittenBytes = Profile.FootprintWrittenBytes;
    addBlocks();
    addSamples();
    addAccesses();
    addBranches();
    addLoops();
    return std::move(Out);
  }

private:
  void addBlocks();
  void addSamples();
  void addAccesses();
  void addBranches();
  void addLoops();
  std::vector<double> issuesOfAccesses() const;
  double executionsOf(const MemoryAccess &A) const {
    return Here[Sass.Operations[A.Op].Block];
  }

  const ViewJoin &Join;
  const KernelFacts &Mir;
  const ExecutionProfile &Profile;
  const KernelFacts &Sass;
  const MemoryGeometry &Geometry;
  BlockCounts Counts;
  /// Of blocks, per warp: in the compiler's view, and in machine code.
  std::vector<double> Executions, Here;
  ExecutionProfile Out;
};

} // namespace

void Projector::addBlocks() {
  for (uint32_t B = 0; B != Sass.Blocks.size(); ++B) {
    uint32_t From = Counts.witnessOf(B);
    Out.Blocks.push_back(
        {Here[B],
         From == NoIndex ? 1 : Profile.Blocks[From].ActiveLaneFraction});
  }
}

void Projector::addSamples() {
  for (const WarpSample &S : Profile.Samples) {
    WarpSample Sample = S;
    Sample.BlockExecutions = Counts.counts(S.BlockExecutions);
    Sample.RequestShares.clear();
    Out.Samples.push_back(std::move(Sample));
  }
}

/// How often each access of the compiler's view is issued, by all copies of it.
std::vector<double> Projector::issuesOfAccesses() const {
  std::vector<double> Issues(Mir.Accesses.size());
  for (uint32_t I = 0; I != Sass.Accesses.size(); ++I)
    if (Join.Access[I] != NoIndex)
      Issues[Join.Access[I]] += executionsOf(Sass.Accesses[I]);
  return Issues;
}

void Projector::addAccesses() {
  // Copies of one access share its requests.
  const std::vector<double> Issues = issuesOfAccesses();
  unsigned NotJoined = 0;
  for (uint32_t I = 0; I != Sass.Accesses.size(); ++I) {
    const MemoryAccess &A = Sass.Accesses[I];
    const double Times = executionsOf(A);
    const uint32_t From = Join.Access[I];
    if (From == NoIndex) {
      NotJoined += Times > 0 && A.Space != MemorySpace::Local;
      Out.Accesses.push_back(spillProfile(A, Times, Geometry));
      continue;
    }
    AccessProfile P = Profile.Accesses[From];
    double Requests =
        Issues[From] > 0 ? P.RequestsPerWarp * Times / Issues[From] : 0;
    P.ExecutionsPerWarp = Times;
    P.RequestsPerWarp = std::min(Times, Requests);
    Out.Accesses.push_back(std::move(P));
  }
  if (NotJoined)
    Out.Assumptions.push_back(
        {"addresses of " + std::to_string(NotJoined) +
             " memory instructions that the assembler made",
         "side by side", "compare with the MIR view", NoIndex});
}

void Projector::addBranches() {
  for (uint32_t I = 0; I != Sass.Branches.size(); ++I) {
    BranchProfile P;
    if (uint32_t From = Join.Branch[I]; From != NoIndex)
      P = Profile.Branches[From];
    else
      P.Reason = "a branch of the assembler's own";
    P.ExecutionsPerWarp = Here[Sass.Branches[I].Block];
    Out.Branches.push_back(std::move(P));
  }
}

void Projector::addLoops() {
  for (uint32_t L = 0; L != Sass.Loops.size(); ++L) {
    LoopProfile P;
    const gpuocc::Loop &Loop = Sass.Loops[L];
    if (uint32_t From = Join.Loop[L]; From != NoIndex) {
      P = Profile.Loops[From];
      double MirIterations = Executions[Mir.Loops[From].Header];
      double Entries = MirIterations / std::max(1.0, P.TripCount);
      P.TripCount = Entries > 0 ? Here[Loop.Header] / Entries : 1;
    } else {
      P.Reason = "a loop of the assembler's own";
      P.Exact = Exactness::Assumed;
      if (!Join.IsCold[Loop.Header] && Here[Loop.Header] > 0)
        Out.Assumptions.push_back({"passes of a loop that the assembler made",
                                   "1", "compare with the MIR view",
                                   Loop.Location});
    }
    Out.Loops.push_back(std::move(P));
  }
}

ExecutionProfile gpuocc::projectProfile(const ViewJoin &Join,
                                        const KernelFacts &Mir,
                                        const ExecutionProfile &Profile,
                                        const KernelFacts &Sass,
                                        const MemoryGeometry &Geometry) {
  return Projector(Join, Mir, Profile, Sass, Geometry).run();
}
