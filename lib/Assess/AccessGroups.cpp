//===- AccessGroups.cpp - Accesses as the source has them -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

double AccessGroup::mean(const ExecutionProfile &Profile,
                         double AccessProfile::*Field) const {
  double Sum = 0, Requests = 0;
  for (uint32_t I : Members) {
    const AccessProfile &A = Profile.Accesses[I];
    Sum += A.RequestsPerWarp * (A.*Field);
    Requests += A.RequestsPerWarp;
  }
  return Requests > 0 ? Sum / Requests : 0;
}

SourceLocation gpuocc::locationOfAccess(const KernelFacts &Facts,
                                        uint32_t Index) {
  return locationOrKernel(Facts,
                          Facts.Operations[Facts.Accesses[Index].Op].Location);
}

std::vector<AccessGroup>
gpuocc::groupAccesses(const Case &C, function_ref<double(uint32_t)> Excess) {
  using Key =
      std::tuple<std::string, unsigned, unsigned, MemorySpace, AccessKind>;
  std::map<Key, AccessGroup> Groups;
  for (uint32_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    double Gain = Excess(I);
    if (!(Gain > 0))
      continue;
    const MemoryAccess &Access = C.Facts.Accesses[I];
    SourcePlace Place = placeToShow(locationOfAccess(C.Facts, I));
    AccessGroup &Group = Groups[{Place.File, Place.Line, Place.Column,
                                 Access.Space, Access.Kind}];
    Group.Members.push_back(I);
    Group.Excess += Gain;
  }
  std::vector<AccessGroup> Sorted;
  for (auto &[Where, Group] : Groups)
    Sorted.push_back(std::move(Group));
  llvm::sort(Sorted, [](const AccessGroup &A, const AccessGroup &B) {
    return std::tie(B.Excess, A.Members) < std::tie(A.Excess, B.Members);
  });
  if (Sorted.size() > MaxPricedPerRule)
    Sorted.resize(MaxPricedPerRule);
  return Sorted;
}

std::string gpuocc::patternText(const AccessProfile &Access) {
  if (!Access.LaneStrideBytes)
    return Access.Pattern;
  int64_t Stride = *Access.LaneStrideBytes;
  if (Stride == 0)
    return "all lanes use one address";
  return "lanes are " + formatNumber(double(Stride < 0 ? -Stride : Stride)) +
         " B apart";
}
