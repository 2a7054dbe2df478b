//===- UncoalescedAccess.cpp - More sectors than needed -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "gpuocc/Assess/Assess.h"

using namespace gpuocc;
using namespace llvm;

/// The fewest sectors that lanes of this pattern could touch. Lanes that are
/// side by side cannot come closer when some of them are inactive.
static double idealSectors(const MemoryAccess &Access, const AccessProfile &A) {
  if (!A.LaneStrideBytes || *A.LaneStrideBytes != int64_t(Access.BytesPerLane))
    return A.IdealSectorsPerRequest;
  constexpr double LanesPerWarp = 32, SectorBytes = 32;
  return std::max(A.IdealSectorsPerRequest,
                  std::min(A.SectorsPerRequest,
                           LanesPerWarp * Access.BytesPerLane / SectorBytes));
}

/// Sectors per warp beyond those that the lanes need.
static double excessSectors(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  if (Access.Space != MemorySpace::Global &&
      Access.Space != MemorySpace::Generic)
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown)
    return 0;
  return A.RequestsPerWarp * (A.SectorsPerRequest - idealSectors(Access, A));
}

static ExecutionProfile coalesced(const ExecutionProfile &Profile,
                                  const AccessGroup &Group) {
  ExecutionProfile Mended = Profile;
  for (uint32_t I : Group.Members) {
    AccessProfile &A = Mended.Accesses[I];
    double Ratio = A.IdealSectorsPerRequest / A.SectorsPerRequest;
    A.SectorsPerRequest = A.IdealSectorsPerRequest;
    A.LinesPerRequest = std::max(1.0, A.LinesPerRequest * Ratio);
    A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
    // The sectors that hit were the ones fetched beyond need.
    A.L1HitFraction = 0;
    A.L1WaitFraction = A.LineVisitFraction = 1;
    A.MergedStoreFraction = 0;
  }
  return Mended;
}

/// The gain from mending all \p Groups.
static double priceTogether(const Case &C, ArrayRef<AccessGroup> Groups) {
  AccessGroup All;
  for (const AccessGroup &Group : Groups)
    append_range(All.Members, Group.Members);
  return priceProfile(C, coalesced(C.Profile, All)).Gain;
}

static StringRef advice(const AccessProfile &A, unsigned BytesPerLane) {
  if (A.Exact == Exactness::DataDependent)
    return "the index is loaded data; sort or bin it so that neighbouring "
           "lanes use neighbouring elements";
  if (A.LaneStrideBytes && *A.LaneStrideBytes == int64_t(BytesPerLane))
    return "the warp starts inside a sector; align the base or the row length "
           "to 32 B";
  return "let neighbouring lanes use neighbouring elements, or stage the data "
         "in shared memory";
}

void gpuocc::findUncoalescedAccess(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return excessSectors(C, I); };
  std::vector<AccessGroup> Groups =
      groupAccesses(C, Excess, GroupBy::ArrayAndStride);
  // Large kernels have dozens of groups that gain nothing worth showing: those
  // that do not gain it together do not gain it one by one.
  if (Groups.size() > 2 && priceTogether(C, Groups) < C.Options.MinimumGain)
    return;
  for (const AccessGroup &Group : Groups) {
    uint32_t First = Group.Members.front();
    const MemoryAccess &Access = C.Facts.Accesses[First];
    const AccessProfile &A = C.Profile.Accesses[First];
    double Sectors = Group.mean(C.Profile, &AccessProfile::SectorsPerRequest);
    double Ideal =
        Group.mean(C.Profile, &AccessProfile::IdealSectorsPerRequest);
    FindingWriter W(RuleId::UncoalescedAccess,
                    locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = A.Exact;
    W << "uncoalesced " << accessKindText(Access.Kind) << ": a warp touches "
      << named("SectorsPerRequest", formatNumber(Sectors))
      << " sectors of 32 B where "
      << named("IdealSectorsPerRequest", formatNumber(Ideal))
      << " hold its data";
    if (std::string Pattern = patternText(A); !Pattern.empty())
      W << " (" << named("Pattern", Pattern) << ")";
    W << ", "
      << named("RequestsPerWarp",
               formatCount(Group.requests(C.Profile), "request"))
      << " per warp";
    if (Group.Places > 1)
      W << " with " << Twine(Group.Places - 1) << " more of the same array";
    W << "; " << advice(A, Access.BytesPerLane);
    addPrice(W, priceProfile(C, coalesced(C.Profile, Group)));
    Out.push_back(std::move(W.finding()));
  }
}
