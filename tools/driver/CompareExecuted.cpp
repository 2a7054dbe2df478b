//===- CompareExecuted.cpp - Said counts against executed ones ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareExecuted.h"
#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class Comparison {
public:
  Comparison(const ExecutedCounts &Counts, const KernelReport &R)
      : Counts(Counts), Facts(R.Facts), Profile(R.Profile),
        Warps(double(Counts.NumWarps)) {}

  json::Object run();

private:
  json::Array compareBlocks(json::Object &Out);
  json::Array compareBranches();
  json::Array compareAccesses(json::Object &Out);
  unsigned lineOf(uint32_t Op) const {
    return Facts.placeOf(Facts.Operations[Op].Location).Line;
  }

  const ExecutedCounts &Counts;
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  const double Warps;
  std::vector<uint32_t> Of;
};

} // namespace

json::Array Comparison::compareBlocks(json::Object &Out) {
  json::Array Blocks;
  double Executed = 0, Said = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    // A branch to a lone exit is an exit itself.
    if (Facts.Blocks[B].Successors.empty() && Facts.Blocks[B].NumOps == 1)
      continue;
    const uint32_t Issued = Of[issuingBlock(Facts, B)];
    const double Ran = Issued == NoIndex
                           ? 0
                           : double(Counts.Blocks[Issued].Executions) / Warps;
    const double Read = Profile.Blocks[B].ExecutionsPerWarp;
    const double Instructions = Facts.instructionsOf(B);
    Executed += Instructions * Ran;
    Said += Instructions * Read;
    const bool HasOps = Facts.Blocks[B].NumOps != 0;
    Blocks.push_back(
        json::Object{{"line", HasOps ? lineOf(Facts.Blocks[B].FirstOp) : 0},
                     {"instructions", Instructions},
                     {"executed", Ran},
                     {"said", Read}});
  }
  Out["instructions_per_warp"] = Executed;
  Out["said_instructions_per_warp"] = Said;
  return Blocks;
}

json::Array Comparison::compareBranches() {
  json::Array Branches;
  for (auto [Br, Read] : zip(Facts.Branches, Profile.Branches)) {
    if (Of[Br.Block] == NoIndex)
      continue;
    const ExecutedBlock &Ran = Counts.Blocks[Of[Br.Block]];
    Branches.push_back(json::Object{
        {"line", lineOf(Br.Op)},
        {"executed", double(Ran.Executions) / Warps},
        {"said", Read.ExecutionsPerWarp},
        {"parted", double(Ran.Partings) / Warps},
        {"said_parted", Read.ExecutionsPerWarp * Read.DivergentFraction},
        {"exactness", exactnessText(Read.Exact)}});
  }
  return Branches;
}

/// Accesses that ExecutedBlock::Accesses has.
static bool isCounted(const MemoryAccess &A) {
  return (A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic) &&
         !A.Bulk && A.Kind != AccessKind::AsyncCopy;
}

static ExecutedKind kindOf(AccessKind K) {
  if (isAtomic(K))
    return ExecutedKind::Atomic;
  return K == AccessKind::Store ? ExecutedKind::Store : ExecutedKind::Load;
}

json::Array Comparison::compareAccesses(json::Object &Out) {
  std::vector<std::vector<uint32_t>> InBlock(Facts.Blocks.size());
  for (uint32_t A = 0; A != Facts.Accesses.size(); ++A)
    if (isCounted(Facts.Accesses[A]))
      InBlock[Facts.Operations[Facts.Accesses[A].Op].Block].push_back(A);
  json::Array Accesses;
  double Executed = 0, Said = 0;
  unsigned NumUnpaired = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    const std::vector<uint32_t> &Read = InBlock[B];
    if (Read.empty() || Of[B] == NoIndex)
      continue;
    const std::vector<ExecutedAccess> &Ran = Counts.Blocks[Of[B]].Accesses;
    const bool IsSame =
        equal(Read, Ran, [&](uint32_t A, const ExecutedAccess &E) {
          return Facts.Accesses[A].BytesPerLane == E.BytesPerLane &&
                 kindOf(Facts.Accesses[A].Kind) == E.Kind;
        });
    if (!IsSame) {
      NumUnpaired += unsigned(Read.size());
      continue;
    }
    for (auto [A, E] : zip(Read, Ran)) {
      const AccessProfile &P = Profile.Accesses[A];
      const double Sectors = P.RequestsPerWarp * P.SectorsPerRequest;
      Executed += double(E.Sectors) / Warps;
      Said += Sectors;
      Accesses.push_back(
          json::Object{{"line", lineOf(Facts.Accesses[A].Op)},
                       {"kind", accessKindText(Facts.Accesses[A].Kind)},
                       {"requests", double(E.Requests) / Warps},
                       {"said_requests", P.RequestsPerWarp},
                       {"sectors", double(E.Sectors) / Warps},
                       {"said_sectors", Sectors},
                       {"exactness", exactnessText(P.Exact)}});
    }
  }
  Out["sectors_per_warp"] = Executed;
  Out["said_sectors_per_warp"] = Said;
  Out["unpaired_accesses"] = NumUnpaired;
  return Accesses;
}

json::Object Comparison::run() {
  json::Object Out{{"warps", Warps}, {"whole_grid", Counts.IsWholeGrid}};
  const auto Matched = Counts.match(Facts);
  Out["fits"] = Matched.has_value();
  if (!Matched || Warps == 0)
    return Out;
  Of = *Matched;
  Out["blocks"] = compareBlocks(Out);
  Out["branches"] = compareBranches();
  Out["accesses"] = compareAccesses(Out);
  return Out;
}

std::optional<json::Object> gpuocc::compareExecuted(const RecordedLaunch &L,
                                                    const KernelReport &R) {
  if (L.TurnsFile.empty())
    return std::nullopt;
  Expected<ExecutedCounts> Counts =
      ExecutedCounts::load(executedFileBeside(L.TurnsFile));
  if (!Counts) {
    consumeError(Counts.takeError());
    return std::nullopt;
  }
  return Comparison(*Counts, R).run();
}
