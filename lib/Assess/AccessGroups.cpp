//===- AccessGroups.cpp - Accesses as the source has them -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Message.h"
#include "PricingBudget.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <compare>
#include <cstdlib>
#include <map>
#include <set>
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

double AccessGroup::requests(const ExecutionProfile &Profile) const {
  double Sum = 0;
  for (uint32_t I : Members)
    Sum += Profile.Accesses[I].RequestsPerWarp;
  return Sum;
}

SourceLocation gpuocc::locationOfAccess(const KernelFacts &Facts,
                                        uint32_t Index) {
  return locationOrKernel(Facts,
                          Facts.Operations[Facts.Accesses[Index].Op].Location);
}

/// The pointer parameter that \p Base is computed from, followed through
/// additions; NoIndex when there is none.
static uint32_t arrayOf(const KernelFacts &Facts, Operand Base) {
  // Operations are in program order, so each step goes to a smaller index
  // except at phis, where the walk ends.
  uint32_t Last = NoIndex;
  while (Base.isValue() && Base.Index < Last) {
    Last = Base.Index;
    const Operation &O = Facts.Operations[Base.Index];
    switch (O.What) {
    case Semantics::Param:
      for (uint32_t I = 0; I != Facts.Parameters.size(); ++I)
        if (Facts.Parameters[I].OffsetBytes == uint64_t(O.Imm))
          return Facts.Parameters[I].IsPointer ? I : NoIndex;
      return NoIndex;
    case Semantics::Copy:
      Base = O.Operands.empty() ? Operand() : O.Operands[0];
      break;
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      Base = O.Operands[2];
      break;
    case Semantics::Add:
      for (const Operand &In : O.Operands)
        if (uint32_t Array = arrayOf(Facts, In); Array != NoIndex)
          return Array;
      return NoIndex;
    default:
      return NoIndex;
    }
  }
  return NoIndex;
}

namespace {

/// What the members of a group have in common; members that do not apply hold
/// nothing.
struct GroupKey {
  uint32_t Array = NoIndex;
  int64_t Stride = 0;
  std::string File;
  unsigned Line = 0, Column = 0;
  MemorySpace Space = MemorySpace::Global;
  AccessKind Kind = AccessKind::Load;

  auto operator<=>(const GroupKey &) const = default;
};

} // namespace

static GroupKey keyOf(const Case &C, uint32_t I, GroupBy By) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  GroupKey Key;
  if (By == GroupBy::ArrayAndStride && A.LaneStrideBytes) {
    Key.Array = arrayOf(C.Facts, Access.Base);
    Key.Stride = *A.LaneStrideBytes;
    if (Key.Array != NoIndex)
      return Key;
  }
  SourcePlace Place = placeToShow(locationOfAccess(C.Facts, I));
  return {NoIndex,      0,          Place.File, Place.Line, Place.Column,
          Access.Space, Access.Kind};
}

/// Counts different places; the members lie most costly first.
static void finishGroup(const Case &C, function_ref<double(uint32_t)> Excess,
                        AccessGroup &Group) {
  llvm::sort(Group.Members, [&](uint32_t A, uint32_t B) {
    return std::make_tuple(-Excess(A), A) < std::make_tuple(-Excess(B), B);
  });
  std::set<std::tuple<std::string, unsigned, unsigned>> Places;
  for (uint32_t I : Group.Members) {
    SourcePlace Place = placeToShow(locationOfAccess(C.Facts, I));
    Places.insert({Place.File, Place.Line, Place.Column});
  }
  Group.Places = unsigned(Places.size());
}

std::vector<AccessGroup>
gpuocc::groupAccesses(const Case &C, RuleId Rule,
                      function_ref<double(uint32_t)> Excess, GroupBy By) {
  std::map<GroupKey, AccessGroup> Groups;
  for (uint32_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    double Gain = Excess(I);
    if (!(Gain > 0))
      continue;
    AccessGroup &Group = Groups[keyOf(C, I, By)];
    Group.Members.push_back(I);
    Group.Excess += Gain;
  }
  std::vector<AccessGroup> Sorted;
  for (auto &[Key, Group] : Groups) {
    finishGroup(C, Excess, Group);
    Sorted.push_back(std::move(Group));
  }
  llvm::sort(Sorted, [](const AccessGroup &A, const AccessGroup &B) {
    return std::tie(B.Excess, A.Members) < std::tie(A.Excess, B.Members);
  });
  C.Budget.keepPriced(Rule, Sorted);
  return Sorted;
}

std::string gpuocc::patternText(const AccessProfile &Access,
                                unsigned BytesPerLane) {
  if (!Access.LaneStrideBytes)
    return Access.Pattern;
  const int64_t Stride = std::abs(*Access.LaneStrideBytes);
  if (Stride == 0)
    return "all lanes use one address";
  std::string Text = "lanes are " + formatNumber(double(Stride)) + " B";
  if (BytesPerLane != 0 && Stride % BytesPerLane == 0)
    Text += " (" + formatCount(double(Stride / BytesPerLane), "element") + ")";
  return Text + " apart";
}
