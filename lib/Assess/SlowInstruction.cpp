//===- SlowInstruction.cpp - Instructions with a cheaper form -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "PriceMerge.h"
#include "PricingBudget.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/BitCounts.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "gpuocc/WhatIf/CommonValues.h"
#include "gpuocc/WhatIf/FloatFunctions.h"
#include "gpuocc/WhatIf/WholePower.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  SmallVector<Emission, 1> (*Fixed)(const Operation &O);
};

/// Operations of one form that one edit mends: the literals of a kernel, the
/// divisions by one value or of one index.
struct SlowGroup {
  const SlowForm *Form = nullptr;
  std::vector<uint32_t> Ops;
  double Instructions = 0;
  /// The operation whose line has most of them.
  uint32_t Most = NoIndex;
  unsigned Lines = 0;
  /// Functions of the library that are called for doubles on those lines.
  std::vector<DoubleFunctions> Functions;
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
/// half, a shift and an addition; a remainder takes a multiply-add more.
static SmallVector<Emission, 1> byMultiplication(const Operation &O) {
  SmallVector<Emission, 1> Out = {{InstClass::IMadHi, 1, 1},
                                  {InstClass::Shf, 1, 1},
                                  {InstClass::IAdd3, 1, 1}};
  if (O.What == Semantics::RemS || O.What == Semantics::RemU)
    Out.push_back({InstClass::IMad, 1, 1});
  return Out;
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

static double instructionsOf(const Case &C, uint32_t I) {
  const Operation &O = C.Facts.Operations[I];
  double Count = 0;
  for (const Emission &E : O.Emits)
    Count += E.Count * C.Profile.Blocks[O.Block].ExecutionsPerWarp;
  return Count;
}

/// The division that \p O is the result of, or one of several that it is chosen
/// from: compilers divide numbers of 64 bits in 32 where they fit.
static const Operation *divisionBehind(const Case &C, const Operand &O) {
  const Operation *Of = C.Facts.operationOf(behindWidths(C.Facts, O));
  if (Of && Of->What == Semantics::Phi)
    for (const Operand &In : Of->Operands) {
      const Operation *From = C.Facts.operationOf(behindWidths(C.Facts, In));
      if (From && isDivision(*From))
        return From;
    }
  return Of && isDivision(*Of) ? Of : nullptr;
}

/// The value that \p O is taken apart from by quotients and remainders.
static Operand wholeIndex(const Case &C, Operand O) {
  constexpr unsigned MostDigits = 16;
  for (unsigned I = 0; I != MostDigits; ++I) {
    const Operation *Of = divisionBehind(C, O);
    if (!Of || Of->Operands.size() != 2)
      break;
    O = Of->Operands[0];
  }
  return behindWidths(C.Facts, O);
}

namespace {

/// Divisions that one edit mends: those by one value, and those that take one
/// index apart, such as `i % w, i / w % h`.
class DivisionCauses {
public:
  explicit DivisionCauses(const Case &C) {
    for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
      const Operation &O = C.Facts.Operations[I];
      if (!isDivision(O) || O.Operands.size() != 2)
        continue;
      const Operand By = behindWidths(C.Facts, O.Operands[1]);
      const Operand Whole = wholeIndex(C, O.Operands[0]);
      Causes.insert(id(I, Own));
      if (By.isValue())
        Causes.unionSets(id(I, Own), id(By.Index, Divisor));
      if (Whole.isValue())
        Causes.unionSets(id(I, Own), id(Whole.Index, Index));
    }
  }

  /// A number that all divisions of \p Op's cause have.
  uint64_t of(uint32_t Op) const { return Causes.getLeaderValue(id(Op, Own)); }

private:
  enum Role : uint64_t { Own, Divisor, Index, NumRoles };

  static uint64_t id(uint32_t Op, Role As) { return NumRoles * Op + As; }

  EquivalenceClasses<uint64_t> Causes;
};

} // namespace

/// Fills in where most of the instructions of \p Group are.
static void finishGroup(const Case &C, SlowGroup &Group) {
  std::map<std::pair<std::string, unsigned>, std::pair<double, uint32_t>> Lines;
  for (uint32_t I : Group.Ops) {
    const SourcePlace Place = placeOfOp(C, C.Facts.Operations[I]);
    auto &[Instructions, First] =
        Lines.try_emplace({Place.File, Place.Line}, 0.0, I).first->second;
    Instructions += instructionsOf(C, I);
  }
  double Most = 0;
  for (const auto &[Place, Line] : Lines) {
    Group.Instructions += Line.first;
    if (Line.first > Most) {
      Most = Line.first;
      Group.Most = Line.second;
    }
  }
  Group.Lines = unsigned(Lines.size());
}

static std::vector<SlowGroup> groupSlow(const Case &C) {
  std::map<std::pair<const SlowForm *, uint64_t>, SlowGroup> Groups;
  const DivisionCauses Causes(C);
  auto Conversions = linesOfFloatConversions(C);
  std::vector<DoubleFunctions> Functions = doubleFunctions(C.Facts);
  std::vector<bool> IsOfFunction(C.Facts.Operations.size());
  for (const DoubleFunctions &F : Functions)
    for (uint32_t I : F.Ops)
      IsOfFunction[I] = true;
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &O = C.Facts.Operations[I];
    for (const SlowForm &Form : Forms) {
      const bool IsOfCall = Form.Applies == isDouble && IsOfFunction[I];
      if (!IsOfCall && !Form.Applies(O))
        continue;
      SourcePlace Place = placeOfOp(C, O);
      if (Form.Applies == isDouble && !IsOfCall &&
          !is_contained(Conversions, std::pair(Place.File, Place.Line)))
        continue;
      const bool IsOfTwo = Form.Applies == isDivision && O.Operands.size() == 2;
      SlowGroup &Group = Groups[{&Form, IsOfTwo ? Causes.of(I) : NoIndex}];
      Group.Form = &Form;
      Group.Ops.push_back(I);
    }
  }
  std::vector<SlowGroup> Sorted;
  for (auto &[Cause, Group] : Groups) {
    finishGroup(C, Group);
    if (Group.Form->Applies == isDouble)
      Group.Functions = std::move(Functions);
    if (Group.Instructions > 0)
      Sorted.push_back(std::move(Group));
  }
  llvm::sort(Sorted, [](const SlowGroup &A, const SlowGroup &B) {
    return std::tie(B.Instructions, A.Ops) < std::tie(A.Instructions, B.Ops);
  });
  C.Budget.keepPriced(RuleId::SlowInstruction, Sorted);
  return Sorted;
}

static Change fix(const Case &C, const SlowGroup &Group) {
  std::vector<ReplacedOperation> Replaced;
  for (uint32_t I : Group.Ops)
    Replaced.push_back({I, Group.Form->Fixed(C.Facts.Operations[I])});
  if (!Group.Functions.empty())
    return useFloatFunctions(Group.Functions, std::move(Replaced));
  return replaceInstructions(std::move(Replaced));
}

static FindingWriter writerAt(const Case &C, uint32_t Op) {
  return FindingWriter(
      RuleId::SlowInstruction,
      locationOrKernel(C.Facts, C.Facts.Operations[Op].Location));
}

static void writeInstructions(double Instructions, FindingWriter &W) {
  W << named("Instructions", formatNumber(Instructions)) << " warp "
    << plural(formatNumber(Instructions), "instruction") << " per warp";
}

/// "x * x * x", or how often it is multiplied.
static std::string wholeText(const WholePower &P) {
  if (P.Exponent == 1)
    return "x";
  if (P.Exponent == 2)
    return "x * x";
  if (P.Exponent == 3)
    return "x * x * x";
  return formatCount(P.multiplications() - P.HasHalf, "multiplication");
}

/// What to write: "x * x * rsqrtf(x), for x > 0", "1 / (x * x)".
static std::string productText(const WholePower &P) {
  if (P.HasHalf && P.IsNegative)
    return P.Exponent == 0   ? "rsqrtf(x)"
           : P.Exponent == 1 ? "r * r * r with r = rsqrtf(x)"
                             : "rsqrtf(x) / (" + wholeText(P) + ")";
  if (P.HasHalf) {
    // sqrtf is rounded correctly, by more instructions than powf saves.
    WholePower Next = P;
    ++Next.Exponent;
    return P.Exponent == 0 ? "sqrtf(x)"
                           : wholeText(Next) + " * rsqrtf(x), for x > 0";
  }
  if (P.IsNegative)
    return P.Exponent == 1 ? "1 / x" : "1 / (" + wholeText(P) + ")";
  return wholeText(P);
}

/// "-1.5".
static std::string exponentText(const WholePower &P) {
  return (P.IsNegative ? "-" : "") + std::to_string(P.Exponent) +
         (P.HasHalf ? ".5" : "");
}

/// Powers of one exponent on one line, such as copies of a loop's body.
static std::vector<std::vector<WholePower>> groupPowers(const Case &C) {
  std::map<std::tuple<std::string, unsigned, std::string>,
           std::vector<WholePower>>
      Groups;
  for (WholePower &P : wholePowers(C.Facts)) {
    const SourcePlace Place = placeOfOp(C, C.Facts.Operations[P.Product]);
    Groups[{Place.File, Place.Line, exponentText(P)}].push_back(std::move(P));
  }
  std::vector<std::vector<WholePower>> Sorted;
  for (auto &[Place, Powers] : Groups)
    Sorted.push_back(std::move(Powers));
  C.Budget.keepPriced(RuleId::SlowInstruction, Sorted);
  return Sorted;
}

static void findWholePowers(const Case &C, Findings &Out) {
  for (const std::vector<WholePower> &Powers : groupPowers(C)) {
    const WholePower &First = Powers.front();
    FindingWriter W = writerAt(C, First.Product);
    if (!C.wants(W.finding()))
      continue;
    double Instructions = 0, Products = 0;
    for (const WholePower &P : Powers) {
      for (uint32_t I : P.Ops)
        Instructions += instructionsOf(C, I);
      Products += instructionsOf(C, P.Product);
    }
    // A plan has multiplied it out already.
    if (Instructions <= Products)
      continue;
    W << "slow instructions: "
      << named("What", First.HasHalf ? "power of a float with half an exponent"
                                     : "power of a float with a whole exponent")
      << " (" << named("Exponent", exponentText(First)) << "; ";
    writeInstructions(Instructions, W);
    W << "); write it as " << named("Instead", productText(First));
    addPrice(W, C, multiplyOut(Powers));
    Out.push_back(std::move(W.finding()));
  }
}

/// Where most of the instructions of \p Ops are.
static uint32_t costliest(const Case &C, ArrayRef<uint32_t> Ops) {
  std::map<std::pair<std::string, unsigned>, std::pair<double, uint32_t>> Lines;
  for (uint32_t I : Ops) {
    const SourcePlace Place = placeOfOp(C, C.Facts.Operations[I]);
    Lines.try_emplace({Place.File, Place.Line}, 0.0, I).first->second.first +=
        instructionsOf(C, I);
  }
  return llvm::max_element(Lines,
                           [](const auto &A, const auto &B) {
                             return A.second.first < B.second.first;
                           })
      ->second.second;
}

/// The kernel has to be handed a table.
static constexpr double WorthwhileTable = 1.15;

/// Values that each thread computes for itself, the same as all others.
static void findCommonValues(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder())
    return;
  CommonValues Values = commonValues({C.Facts, C.Profile, C.Launched});
  double Instructions = 0;
  for (uint32_t I : Values.Ops)
    Instructions += instructionsOf(C, I);
  if (Values.Results.empty() || Instructions <= double(Values.Results.size()))
    return;
  FindingWriter W = writerAt(C, costliest(C, Values.Ops));
  if (!C.wants(W.finding()))
    return;
  const bool IsInLoop = any_of(Values.Results, [&](uint32_t I) {
    return C.Facts.Blocks[C.Facts.Operations[I].Block].Loop != NoIndex;
  });
  const Price P = price(C, lookUp(std::move(Values)));
  if (P.Gain < WorthwhileTable)
    return;
  W << "slow instructions: "
    << named("What", "values that all threads compute alike, from parameters "
                     "and counters of loops")
    << " (";
  writeInstructions(Instructions, W);
  W << "); compute them once and "
    << named("Instead", IsInLoop ? "read them from a table, such as one in "
                                   "__constant__ memory"
                                 : "hand them over as arguments");
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// "(expf, sinf or cosf)".
static void writeFunctions(const SlowGroup &Group, FindingWriter &W) {
  std::vector<StringRef> Names;
  for (const DoubleFunctions &F : Group.Functions)
    for (StringRef Name : F.Names)
      if (!is_contained(Names, Name))
        Names.push_back(Name);
  if (!Names.empty())
    W << " (" << named("Functions", join(Names, ", ")) << ")";
  if (any_of(Group.Functions,
             [](const DoubleFunctions &F) { return F.HasWholePower; }))
    W << ", and multiply instead of raising to a whole power";
}

/// Values that the threads of a block compute, few of them different.
static void findValuesOfThreads(const Case &C, Findings &Out) {
  // A table that leaves room for the blocks that an SM holds.
  constexpr double MostWords = 2048;
  if (C.Facts.isInIssueOrder())
    return;
  TabulatedValues Values = valuesOfThreads({C.Facts, C.Profile, C.Launched});
  double Instructions = 0;
  for (uint32_t I : Values.Ops)
    Instructions += instructionsOf(C, I);
  if (Values.Results.empty() || Values.Words > MostWords)
    return;
  FindingWriter W = writerAt(C, costliest(C, Values.Ops));
  if (!C.wants(W.finding()))
    return;
  const double Words = Values.Words;
  std::optional<KernelVariant> V = changed(C, tabulate(std::move(Values)));
  if (!V || !canBeLaunched(C, *V))
    return;
  estimateFewerRegisters(C, V->Facts);
  const Price P = priceVariant(C, std::move(*V));
  if (P.Gain < WorthwhileTable)
    return;
  W << "slow instructions: "
    << named("What", "values that follow from threadIdx and counters of loops "
                     "alone")
    << " (";
  writeInstructions(Instructions, W);
  W << "), of which a block has " << named("Words", formatNumber(Words))
    << " different ones; let its threads compute each once and "
    << named("Instead", "read them from a table in shared memory");
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Bits of a word that are added up one by one.
static void findBitCounts(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder())
    return;
  std::vector<BitCount> Counts = bitCounts(C.Facts);
  if (Counts.empty())
    return;
  double Instructions = 0;
  unsigned Bits = 0;
  for (const BitCount &Count : Counts) {
    Instructions += instructionsOf(C, Count.Sum);
    for (uint32_t I : Count.Others)
      Instructions += instructionsOf(C, I);
    Bits = std::max(Bits, Count.Bits);
  }
  FindingWriter W = writerAt(C, Counts.front().Sum);
  if (!C.wants(W.finding()))
    return;
  W << "slow instructions: "
    << named("What",
             std::to_string(Bits) + " bits of a word, added up one by one")
    << " (";
  writeInstructions(Instructions, W);
  W << "); count them with " << named("Instead", "__popc");
  addPrice(W, C, countBits(std::move(Counts)));
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findSlowInstruction(const Case &C, Findings &Out) {
  findBitCounts(C, Out);
  findWholePowers(C, Out);
  findCommonValues(C, Out);
  findValuesOfThreads(C, Out);
  for (const SlowGroup &Group : groupSlow(C)) {
    FindingWriter W = writerAt(C, Group.Most);
    if (!C.wants(W.finding()))
      continue;
    W << "slow instructions: " << named("What", Group.Form->What) << " (";
    writeInstructions(Group.Instructions, W);
    if (Group.Lines > 1)
      W << " on " << named("Lines", Twine(Group.Lines)) << " lines";
    W << "); " << Group.Form->Advice;
    writeFunctions(Group, W);
    addPrice(W, C, fix(C, Group));
    Out.push_back(std::move(W.finding()));
  }
}
