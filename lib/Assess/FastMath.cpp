//===- FastMath.cpp - Rounded functions with an approximate form ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Kernel/Copies.h"
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

/// What a rounded function becomes.
enum class FixedBy : uint8_t {
  Approximate,
  /// A division by a value that stays the same, as a product.
  Product,
  /// The first of such, which still has to divide.
  Reciprocal,
};

/// Rounded functions of one kind, which one option of the compiler, or one edit
/// of each, mends.
struct RoundedGroup {
  const FastForm *Form = nullptr;
  std::vector<std::pair<uint32_t, FixedBy>> Ops;
  double Instructions = 0;
  unsigned Lines = 0;
  /// An operation of the line with most of them.
  uint32_t Most = NoIndex;
  double MostOnLine = 0;
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

/// Two roundings instead of one.
static const FastForm ByReciprocal = {
    Semantics::FDiv, "division",
    "x * r with r = 1.0f / y, since y stays the same", "1.5 ulp", fastDivision};

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

/// Divisions by a value that stays the same: a constant, one from outside of
/// their loop, or one that several divisions of a block have.
static std::map<uint32_t, FixedBy> divisionsByOneValue(const Case &C) {
  std::map<uint32_t, FixedBy> Found;
  std::map<std::tuple<uint32_t, uint8_t, uint32_t>, std::vector<uint32_t>> Same;
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    if (O.What != Semantics::FDiv || O.Operands.size() != 2 || !isRounded(O))
      continue;
    const Operand Divisor = behindCopies(C.Facts, O.Operands[1]);
    const uint32_t Loop = C.Facts.Blocks[O.Block].Loop;
    if (Loop == NoIndex ? !C.Facts.operationOf(Divisor)
                        : isSetOutside(C.Facts, C.Facts.Loops[Loop], Divisor))
      Found[I] = FixedBy::Product;
    else
      Same[{Divisor.Index, Divisor.Result, O.Block}].push_back(I);
  }
  for (const auto &[Divisor, Ops] : Same)
    for (uint32_t I : Ops)
      if (Ops.size() > 1)
        Found[I] = I == Ops.front() ? FixedBy::Reciprocal : FixedBy::Product;
  return Found;
}

static SmallVector<Emission, 1> emissionsOf(const Case &C, uint32_t Op,
                                            FixedBy How, const FastForm &Form) {
  const Emission Product = {InstClass::FMul, 1, 1};
  switch (How) {
  case FixedBy::Approximate:
    return Form.Emits();
  case FixedBy::Product:
    return {Product};
  case FixedBy::Reciprocal:
    break;
  }
  SmallVector<Emission, 1> Both = C.Facts.Operations[Op].Emits;
  Both.push_back(Product);
  return Both;
}

static std::vector<RoundedGroup> groupRounded(const Case &C) {
  std::map<const FastForm *, RoundedGroup> Groups;
  std::map<std::tuple<const FastForm *, std::string, unsigned>, double> OnLines;
  const std::map<uint32_t, FixedBy> ByOneValue = divisionsByOneValue(C);
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    const auto Division = ByOneValue.find(I);
    const bool IsByOneValue = Division != ByOneValue.end();
    const FastForm *Form = IsByOneValue ? &ByReciprocal : formOf(O);
    if (!Form)
      continue;
    const SourcePlace Place =
        placeToShow(locationOrKernel(C.Facts, O.Location));
    RoundedGroup &Group = Groups[Form];
    Group.Form = Form;
    Group.Ops.push_back(
        {I, IsByOneValue ? Division->second : FixedBy::Approximate});
    double &OnLine = OnLines[{Form, Place.File, Place.Line}];
    Group.Lines += OnLine == 0;
    for (const Emission &E : O.Emits) {
      const double Count =
          E.Count * C.Profile.Blocks[O.Block].ExecutionsPerWarp;
      Group.Instructions += Count;
      OnLine += Count;
    }
    if (OnLine > Group.MostOnLine) {
      Group.MostOnLine = OnLine;
      Group.Most = I;
    }
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
    for (auto [Op, How] : Group.Ops)
      Replaced.push_back({Op, emissionsOf(C, Op, How, *Group.Form)});
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
        locationOrKernel(C.Facts, C.Facts.Operations[Group.Most].Location));
    W << "this " << named("What", Group.Form->Name) << " is rounded correctly ("
      << named("Instructions", formatNumber(Group.Instructions))
      << " warp instructions per warp";
    if (Group.Lines > 1)
      W << " on " << named("Lines", Twine(Group.Lines)) << " lines";
    W << "); where " << named("Error", Group.Form->Error) << " will do, use "
      << Group.Form->Instead;
    addPrice(W, P);
    Out.push_back(std::move(W.finding()));
  }
}
