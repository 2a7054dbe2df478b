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

namespace {

/// What an address points into: a kernel parameter, or a variable.
struct Array {
  uint32_t Parameter = NoIndex;
  uint32_t Symbol = NoIndex;

  bool isKnown() const { return Parameter != NoIndex || Symbol != NoIndex; }
  auto operator<=>(const Array &) const = default;
};

} // namespace

static uint32_t pointerAt(const KernelFacts &Facts, int64_t OffsetBytes) {
  for (uint32_t I = 0; I != Facts.Parameters.size(); ++I)
    if (Facts.Parameters[I].OffsetBytes == uint64_t(OffsetBytes))
      return Facts.Parameters[I].IsPointer ? I : NoIndex;
  return NoIndex;
}

/// What \p Base is computed from, followed through additions, and from a
/// pointer that a loop moves on to where it began.
static Array arrayOf(const KernelFacts &Facts, Operand Base) {
  // Operations are in program order, so each step goes to a smaller index.
  uint32_t Last = NoIndex;
  while (Base.isValue() && Base.Index < Last) {
    Last = Base.Index;
    const Operation &O = Facts.Operations[Base.Index];
    switch (O.What) {
    case Semantics::Param:
      return {pointerAt(Facts, O.Imm), NoIndex};
    case Semantics::Copy:
    case Semantics::Phi:
    case Semantics::SymbolAddress:
      Base = O.Operands.empty() ? Operand() : O.Operands[0];
      break;
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      Base = O.Operands[2];
      break;
    case Semantics::Add:
      for (const Operand &In : O.Operands)
        if (Array Found = arrayOf(Facts, In); Found.isKnown())
          return Found;
      return {};
    default:
      return {};
    }
  }
  return Base.K == Operand::Kind::Symbol ? Array{NoIndex, Base.Index} : Array();
}

uint32_t gpuocc::parameterOfAccess(const KernelFacts &Facts, uint32_t Index) {
  return arrayOf(Facts, Facts.Accesses[Index].Base).Parameter;
}

namespace {

/// What the members of a group have in common; members that do not apply hold
/// nothing.
struct GroupKey {
  Array Of;
  int64_t Stride = 0;
  std::string Pattern;
  std::string File;
  unsigned Line = 0, Column = 0;
  MemorySpace Space = MemorySpace::Global;
  AccessKind Kind = AccessKind::Load;

  auto operator<=>(const GroupKey &) const = default;
};

} // namespace

/// Whose lanes lie as code says, and not as loaded data does.
static bool hasPattern(const AccessProfile &A) {
  return A.LaneStrideBytes ||
         (A.Exact != Exactness::DataDependent &&
          A.Exact != Exactness::Unknown && !A.Pattern.empty());
}

static GroupKey keyOf(const Case &C, uint32_t I, GroupBy By) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  if (By != GroupBy::Place && hasPattern(A)) {
    GroupKey Key;
    Key.Of = arrayOf(C.Facts, Access.Base);
    Key.Space = Access.Space;
    if (By != GroupBy::Array && A.LaneStrideBytes)
      Key.Stride = *A.LaneStrideBytes;
    else if (By != GroupBy::Array)
      Key.Pattern = A.Pattern;
    if (Key.Of.isKnown()) {
      if (By == GroupBy::Pattern)
        Key.Of = {};
      return Key;
    }
  }
  SourcePlace Place = placeToShow(locationOfAccess(C.Facts, I));
  return {{},           0,          {}, Place.File, Place.Line, Place.Column,
          Access.Space, Access.Kind};
}

/// Counts different places; the members lie most costly first.
static void finishGroup(const Case &C, function_ref<double(uint32_t)> Excess,
                        AccessGroup &Group) {
  llvm::sort(Group.Members, [&](uint32_t A, uint32_t B) {
    return std::make_tuple(-Excess(A), A) < std::make_tuple(-Excess(B), B);
  });
  std::set<std::tuple<std::string, unsigned, unsigned, AccessKind>> Places;
  std::set<Array> Arrays;
  for (uint32_t I : Group.Members) {
    const MemoryAccess &Access = C.Facts.Accesses[I];
    SourcePlace Place = placeToShow(locationOfAccess(C.Facts, I));
    Places.insert({Place.File, Place.Line, Place.Column, Access.Kind});
    Arrays.insert(arrayOf(C.Facts, Access.Base));
  }
  Group.Places = unsigned(Places.size());
  Group.Arrays = unsigned(Arrays.size());
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

AccessGroup gpuocc::atFirstPlace(const Case &C, const AccessGroup &Group) {
  const uint32_t First = Group.Members.front();
  auto IsThere = [&](uint32_t I) {
    return keyOf(C, I, GroupBy::Place) == keyOf(C, First, GroupBy::Place);
  };
  AccessGroup Out;
  copy_if(Group.Members, std::back_inserter(Out.Members), IsThere);
  return Out;
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
