//===- FastMath.cpp - Rounded functions with an approximate form ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A function of 32 bits that is rounded correctly, and its approximate form.
/// Errors: PTX ISA 9.0, sections of div, rcp and sqrt.
struct FastForm {
  Semantics What;
  StringLiteral Name, Instead, Error;
  SmallVector<Emission, 1> (*Emits)();
};

/// Rounded functions of one kind on one line.
struct RoundedGroup {
  const FastForm *Form = nullptr;
  std::vector<uint32_t> Ops;
  double Instructions = 0;
};

} // namespace

static SmallVector<Emission, 1> fastDivision() {
  return {{InstClass::FSetp, 1, 1},
          {InstClass::FMul, 3, 3},
          {InstClass::MufuRcp, 1, 1}};
}

static SmallVector<Emission, 1> fastReciprocal() {
  return {{InstClass::MufuRcp, 1, 1}};
}

static SmallVector<Emission, 1> fastRoot() {
  return {{InstClass::FSetp, 1, 1},
          {InstClass::FMul, 2, 2},
          {InstClass::MufuSqrt, 1, 1}};
}

static const FastForm Forms[] = {
    {Semantics::FDiv, "division", "__fdividef(x, y)",
     "2 ulp for divisors up to 2^126, 0 beyond", fastDivision},
    {Semantics::FRcp, "reciprocal", "__fdividef(1, x)", "1 ulp",
     fastReciprocal},
    {Semantics::FSqrt, "square root", "sqrt.approx.f32 (nvcc -prec-sqrt=false)",
     "a relative error of 2^-23", fastRoot},
};

/// Rounding takes a slow path, which a branch leads to.
static bool isRounded(const Operation &O) {
  constexpr unsigned Single = 32;
  return O.Bits == Single && any_of(O.Emits, [](const Emission &E) {
           return E.Class == InstClass::Branch;
         });
}

static const FastForm *formOf(const Operation &O) {
  if (!isRounded(O))
    return nullptr;
  for (const FastForm &F : Forms)
    if (F.What == O.What)
      return &F;
  return nullptr;
}

static std::vector<RoundedGroup> groupRounded(const Case &C) {
  std::map<std::tuple<const FastForm *, std::string, unsigned>, RoundedGroup>
      Groups;
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    const FastForm *Form = formOf(O);
    if (!Form)
      continue;
    const SourcePlace Place =
        placeToShow(locationOrKernel(C.Facts, O.Location));
    RoundedGroup &Group = Groups[{Form, Place.File, Place.Line}];
    Group.Form = Form;
    Group.Ops.push_back(I);
    for (const Emission &E : O.Emits)
      Group.Instructions +=
          E.Count * C.Profile.Blocks[O.Block].ExecutionsPerWarp;
  }
  std::vector<RoundedGroup> Sorted;
  for (auto &[Where, Group] : Groups)
    if (Group.Instructions > 0)
      Sorted.push_back(std::move(Group));
  llvm::sort(Sorted, [](const RoundedGroup &A, const RoundedGroup &B) {
    return std::tie(B.Instructions, A.Ops) < std::tie(A.Instructions, B.Ops);
  });
  C.Budget.keepPriced(RuleId::FastMath, Sorted);
  return Sorted;
}

static Price priceApproximate(const Case &C, ArrayRef<RoundedGroup> Groups) {
  std::vector<ReplacedOperation> Replaced;
  for (const RoundedGroup &Group : Groups)
    for (uint32_t I : Group.Ops)
      Replaced.push_back({I, Group.Form->Emits()});
  return price(C, replaceInstructions(std::move(Replaced)));
}

void gpuocc::findFastMath(const Case &C, Findings &Out) {
  const std::vector<RoundedGroup> Groups = groupRounded(C);
  if (Groups.size() > 1 &&
      isTooSmall(C, RuleId::FastMath, priceApproximate(C, Groups)))
    return;
  for (const RoundedGroup &Group : Groups) {
    const Price P = priceApproximate(C, Group);
    if (P.Gain < C.Options.MinimumGain)
      continue;
    FindingWriter W(
        RuleId::FastMath,
        locationOrKernel(C.Facts,
                         C.Facts.Operations[Group.Ops.front()].Location));
    W << "this " << named("What", Group.Form->Name) << " is rounded correctly ("
      << named("Instructions", formatNumber(Group.Instructions))
      << " warp instructions per warp); where "
      << named("Error", Group.Form->Error) << " will do, use "
      << Group.Form->Instead;
    addPrice(W, P);
    Out.push_back(std::move(W.finding()));
  }
}
