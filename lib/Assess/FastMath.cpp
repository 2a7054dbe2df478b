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
#include "gpuocc/WhatIf/AccurateFunctions.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "gpuocc/WhatIf/WholePower.h"
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
  /// A root, as its reciprocal.
  ReciprocalRoot,
  /// A reciprocal of a root that is one already.
  Nothing,
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

/// One instruction of the special function unit instead of two functions.
static const FastForm ByRoot = {Semantics::FSqrt, "division by a square root",
                                "x * rsqrtf(y) for x / sqrtf(y)",
                                "2 ulp of the root", fastRoot};

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

/// Divisions by square roots, and the roots.
static std::map<uint32_t, FixedBy> divisionsByRoots(const Case &C) {
  std::map<uint32_t, FixedBy> Found;
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    const bool IsReciprocal = O.What == Semantics::FRcp;
    if (!isRounded(O) || (!IsReciprocal && O.What != Semantics::FDiv) ||
        O.Operands.empty())
      continue;
    const Operand By = behindCopies(C.Facts, O.Operands.back());
    const Operation *Root = C.Facts.operationOf(By);
    if (!Root || Root->What != Semantics::FSqrt || Root->Bits != O.Bits)
      continue;
    Found[I] = IsReciprocal ? FixedBy::Nothing : FixedBy::Product;
    Found[By.Index] = FixedBy::ReciprocalRoot;
  }
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
  case FixedBy::ReciprocalRoot:
    // What else needs the root has it by a product.
    return {{InstClass::FSetp, 1, 0},
            {InstClass::FMul, 3, 2},
            {InstClass::MufuRsq, 1, 1}};
  case FixedBy::Nothing:
    return {};
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
  const std::map<uint32_t, FixedBy> ByRoots = divisionsByRoots(C);
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    const FastForm *Form = formOf(O);
    FixedBy How = FixedBy::Approximate;
    if (const auto Root = ByRoots.find(I); Root != ByRoots.end()) {
      Form = &ByRoot;
      How = Root->second;
    } else if (const auto One = ByOneValue.find(I); One != ByOneValue.end()) {
      Form = &ByReciprocal;
      How = One->second;
    }
    if (!Form)
      continue;
    const SourcePlace Place =
        placeToShow(locationOrKernel(C.Facts, O.Location));
    RoundedGroup &Group = Groups[Form];
    Group.Form = Form;
    Group.Ops.push_back({I, How});
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

static void append(std::vector<ReplacedOperation> &To, const Case &C,
                   ArrayRef<RoundedGroup> Groups) {
  for (const RoundedGroup &Group : Groups)
    for (auto [Op, How] : Group.Ops)
      To.push_back({Op, emissionsOf(C, Op, How, *Group.Form)});
}

static Price priceApproximate(const Case &C, ArrayRef<RoundedGroup> Groups) {
  std::vector<ReplacedOperation> Replaced;
  append(Replaced, C, Groups);
  return price(C, replaceInstructions(std::move(Replaced)));
}

namespace {

/// Calls of functions of one name, which one intrinsic replaces.
struct CallGroup {
  std::vector<AccurateFunction> Calls;
  double Instructions = 0;
  /// The call that is executed most.
  uint32_t Most = NoIndex;
  double MostOfCall = 0;

  const AccurateFunction &first() const { return Calls.front(); }
};

} // namespace

/// Calls that no multiplications replace, those that cost most first.
static std::vector<CallGroup> groupCalls(const Case &C) {
  const std::vector<WholePower> Powers = wholePowers(C.Facts);
  std::map<StringRef, CallGroup> Groups;
  for (AccurateFunction &Call : accurateFunctions(C.Facts)) {
    if (any_of(Powers, [&](const WholePower &P) {
          return is_contained(P.Ops, Call.Op);
        }))
      continue;
    const double Instructions =
        Call.Instructions *
        C.Profile.Blocks[C.Facts.Operations[Call.Op].Block].ExecutionsPerWarp;
    CallGroup &Group = Groups[Call.Name];
    Group.Instructions += Instructions;
    if (Instructions > Group.MostOfCall) {
      Group.MostOfCall = Instructions;
      Group.Most = Call.Op;
    }
    Group.Calls.push_back(std::move(Call));
  }
  std::vector<CallGroup> Sorted;
  for (auto &[Name, Group] : Groups)
    if (Group.Instructions > 0)
      Sorted.push_back(std::move(Group));
  llvm::sort(Sorted, [](const CallGroup &A, const CallGroup &B) {
    return std::pair(-A.Instructions, A.Most) <
           std::pair(-B.Instructions, B.Most);
  });
  C.Budget.keepPriced(RuleId::FastMath, Sorted);
  return Sorted;
}

static void append(std::vector<ReplacedOperation> &To, const CallGroup &Group) {
  for (const AccurateFunction &Call : Group.Calls)
    append_range(To, Call.Replaced);
}

static void writeCalls(const Case &C, const CallGroup &Group, const Price &P,
                       Findings &Out) {
  FindingWriter W(
      RuleId::FastMath,
      locationOrKernel(C.Facts, C.Facts.Operations[Group.Most].Location));
  W << named("What", Group.first().Name) << " is computed to the last bits ("
    << named("Instructions", formatNumber(Group.Instructions))
    << " warp instructions per warp"
    << (Group.Calls.size() > 1
            ? ", in " + std::to_string(Group.Calls.size()) + " calls"
            : "")
    << "); where " << named("Error", Group.first().Error) << " will do, use "
    << Group.first().Instead;
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// All functions and divisions at once, as an option of the compiler does it.
static void findTogether(const Case &C, ArrayRef<CallGroup> Calls,
                         ArrayRef<RoundedGroup> Rounded, double Best,
                         Findings &Out) {
  constexpr double Better = 1.05;
  if (Calls.size() + Rounded.size() < 2)
    return;
  std::vector<ReplacedOperation> Replaced;
  std::string Names;
  double Instructions = 0;
  auto Name = [&](StringRef Of, double Count) {
    Names += (Names.empty() ? "" : ", ") + Of.str();
    Instructions += Count;
  };
  // What both would change is the division's.
  for (const CallGroup &Group : Calls) {
    append(Replaced, Group);
    Name(Group.first().Name, Group.Instructions);
  }
  append(Replaced, C, Rounded);
  for (const RoundedGroup &Group : Rounded)
    Name(Group.Form->Name, Group.Instructions);
  const Price P = price(C, replaceInstructions(std::move(Replaced)));
  if (P.Gain < C.Options.MinimumGain || P.Gain < Best * Better)
    return;
  FindingWriter W(
      RuleId::FastMath,
      locationOrKernel(C.Facts,
                       C.Facts
                           .Operations[Calls.empty() ? Rounded.front().Most
                                                     : Calls.front().Most]
                           .Location));
  W << named("What", Names) << " are computed to the last bits ("
    << named("Instructions", formatNumber(Instructions))
    << " warp instructions per warp); where the errors of the approximate "
       "forms will do, use all of them (__expf, __fdividef and the like, or "
       "nvcc -use_fast_math)";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Returns the largest gain.
static double findRounded(const Case &C, ArrayRef<RoundedGroup> Groups,
                          Findings &Out) {
  double Best = 1;
  if (Groups.size() > 1 &&
      isTooSmall(C, RuleId::FastMath, priceApproximate(C, Groups)))
    return Best;
  for (const RoundedGroup &Group : Groups) {
    const Price P = priceApproximate(C, Group);
    Best = std::max(Best, P.Gain);
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
  return Best;
}

void gpuocc::findFastMath(const Case &C, Findings &Out) {
  const std::vector<CallGroup> Calls = groupCalls(C);
  double Best = 1;
  for (const CallGroup &Group : Calls) {
    std::vector<ReplacedOperation> Replaced;
    append(Replaced, Group);
    const Price P = price(C, replaceInstructions(std::move(Replaced)));
    Best = std::max(Best, P.Gain);
    if (P.Gain >= C.Options.MinimumGain)
      writeCalls(C, Group, P, Out);
  }
  const std::vector<RoundedGroup> Groups = groupRounded(C);
  Best = std::max(Best, findRounded(C, Groups, Out));
  findTogether(C, Calls, Groups, Best, Out);
}
