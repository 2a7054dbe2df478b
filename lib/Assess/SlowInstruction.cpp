//===- SlowInstruction.cpp - Instructions with a cheaper form -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A class whose work another class does faster; no class means that the
/// instruction goes away.
struct CheaperClass {
  InstClass Slow;
  std::optional<InstClass> Cheap;
};

/// A kind of slow code, what replaces it, and what to say.
struct SlowForm {
  StringLiteral What;
  StringLiteral Advice;
  bool (*Applies)(const Operation &O);
  /// New emissions of an operation that applies.
  SmallVector<Emission, 1> (*Mended)(const Operation &O);
};

/// Operations of one form on one line.
struct SlowGroup {
  const SlowForm *Form = nullptr;
  std::vector<uint32_t> Ops;
  double Instructions = 0;
};

} // namespace

static constexpr CheaperClass SingleForDouble[] = {
    {InstClass::DAdd, InstClass::FAdd},
    {InstClass::DMul, InstClass::FMul},
    {InstClass::DFma, InstClass::FFma},
    {InstClass::DSetp, InstClass::FSetp},
    {InstClass::CvtF64F32, std::nullopt},
    {InstClass::CvtI2D, InstClass::CvtI2F},
    {InstClass::CvtD2I, InstClass::CvtF2I},
    {InstClass::CvtFrnd64, InstClass::CvtFrnd},
    {InstClass::MufuRcp64, InstClass::MufuRcp},
    {InstClass::MufuRsq64, InstClass::MufuRsq},
};

static const CheaperClass *cheaperForm(InstClass Class) {
  for (const CheaperClass &Row : SingleForDouble)
    if (Row.Slow == Class)
      return &Row;
  return nullptr;
}

static bool isDouble(const Operation &O) {
  return any_of(O.Emits,
                [](const Emission &E) { return cheaperForm(E.Class); });
}

static SmallVector<Emission, 1> inSinglePrecision(const Operation &O) {
  SmallVector<Emission, 1> Out;
  for (Emission E : O.Emits) {
    const CheaperClass *Row = cheaperForm(E.Class);
    if (Row && !Row->Cheap)
      continue;
    if (Row)
      E.Class = *Row->Cheap;
    Out.push_back(E);
  }
  return Out;
}

/// A division that the compiler could not turn into shifts or multiplications.
static bool isDivision(const Operation &O) {
  switch (O.What) {
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    return O.Emits.size() > 1;
  default:
    return false;
  }
}

/// Division by a value known to the compiler: a multiplication for the high
/// half, a shift and an addition.
static SmallVector<Emission, 1> byMultiplication(const Operation &) {
  return {{InstClass::IMadHi, 1, 1},
          {InstClass::Shf, 1, 1},
          {InstClass::IAdd3, 1, 1}};
}

static const SlowForm Forms[] = {
    {"double precision in code that works on float values",
     "write constants with an 'f' suffix and call the float forms of functions",
     isDouble, inSinglePrecision},
    {"integer division by a value unknown to the compiler",
     "make the divisor a constant or a template parameter, keep a counter "
     "instead, or use 32-bit operands where 64 are not needed",
     isDivision, byMultiplication},
};

static SourcePlace placeOfOp(const Case &C, const Operation &O) {
  return placeToShow(locationOrKernel(C.Facts, O.Location));
}

/// Lines on which values change between float and double: only there a double
/// is likely an accident.
static std::vector<std::pair<std::string, unsigned>>
linesOfFloatConversions(const Case &C) {
  std::vector<std::pair<std::string, unsigned>> Lines;
  for (const Operation &O : C.Facts.Operations)
    if (any_of(O.Emits, [](const Emission &E) {
          return E.Class == InstClass::CvtF64F32;
        })) {
      SourcePlace Place = placeOfOp(C, O);
      Lines.emplace_back(Place.File, Place.Line);
    }
  return Lines;
}

static std::vector<SlowGroup> groupSlow(const Case &C) {
  std::map<std::tuple<const SlowForm *, std::string, unsigned>, SlowGroup>
      Groups;
  auto Conversions = linesOfFloatConversions(C);
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    for (const SlowForm &Form : Forms) {
      if (!Form.Applies(O))
        continue;
      SourcePlace Place = placeOfOp(C, O);
      if (Form.Applies == isDouble &&
          !is_contained(Conversions, std::pair(Place.File, Place.Line)))
        continue;
      SlowGroup &Group = Groups[{&Form, Place.File, Place.Line}];
      Group.Form = &Form;
      Group.Ops.push_back(I);
      for (const Emission &E : O.Emits)
        Group.Instructions +=
            E.Count * C.Profile.Blocks[O.Block].ExecutionsPerWarp;
    }
  }
  std::vector<SlowGroup> Sorted;
  for (auto &[Where, Group] : Groups)
    if (Group.Instructions > 0)
      Sorted.push_back(std::move(Group));
  llvm::sort(Sorted, [](const SlowGroup &A, const SlowGroup &B) {
    return std::tie(B.Instructions, A.Ops) < std::tie(A.Instructions, B.Ops);
  });
  C.Budget.keepPriced(RuleId::SlowInstruction, Sorted);
  return Sorted;
}

static Price priceMended(const Case &C, ArrayRef<SlowGroup> Groups) {
  std::vector<ReplacedOperation> Replaced;
  for (const SlowGroup &Group : Groups)
    for (uint32_t I : Group.Ops)
      Replaced.push_back({I, Group.Form->Mended(C.Facts.Operations[I])});
  return price(C, replaceInstructions(std::move(Replaced)));
}

void gpuocc::findSlowInstruction(const Case &C, Findings &Out) {
  const std::vector<SlowGroup> Groups = groupSlow(C);
  if (Groups.size() > 1 &&
      isTooSmall(C, RuleId::SlowInstruction, priceMended(C, Groups)))
    return;
  for (const SlowGroup &Group : Groups) {
    FindingWriter W(
        RuleId::SlowInstruction,
        locationOrKernel(C.Facts,
                         C.Facts.Operations[Group.Ops.front()].Location));
    if (!C.wants(W.finding()))
      continue;
    W << "slow instructions: " << named("What", Group.Form->What) << " ("
      << named("Instructions", formatNumber(Group.Instructions)) << " warp "
      << plural(formatNumber(Group.Instructions), "instruction")
      << " per warp); " << Group.Form->Advice;
    addPrice(W, priceMended(C, Group));
    Out.push_back(std::move(W.finding()));
  }
}
