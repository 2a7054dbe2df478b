//===- FloatFunctions.cpp - Functions of doubles, for floats --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/FloatFunctions.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "gpuocc/WhatIf/WholePower.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A function of the library for doubles, and what nvcc 13.0 emits for the one
/// for floats (-O3 -arch=sm_90) on its usual path.
struct LibraryFunction {
  /// Bits of a coefficient that one operation of each call has.
  uint64_t Coefficient;
  StringLiteral FloatName;
  /// Operations on doubles of a call.
  unsigned Doubles;
  ArrayRef<Emission> InFloat;
};

} // namespace

static const Emission OfExp[] = {
    {InstClass::FFma, 4, 4}, {InstClass::FAdd, 1, 1},
    {InstClass::FMul, 1, 1}, {InstClass::Shf, 1, 0},
    {InstClass::Mov, 1, 0},  {InstClass::MufuEx2, 1, 1}};
static const Emission OfLog[] = {
    {InstClass::FFma, 12, 11}, {InstClass::FAdd, 1, 1},
    {InstClass::FMul, 2, 1},   {InstClass::FSetp, 2, 1},
    {InstClass::CvtI2F, 1, 0}, {InstClass::IAdd3, 3, 1},
    {InstClass::Lop3, 1, 1},   {InstClass::ISetp, 1, 0},
    {InstClass::Shf, 1, 0},    {InstClass::Sel, 3, 1}};
static const Emission OfSine[] = {
    {InstClass::FFma, 8, 7},   {InstClass::FAdd, 1, 0},
    {InstClass::FMul, 2, 2},   {InstClass::CvtF2I, 1, 1},
    {InstClass::CvtI2F, 1, 1}, {InstClass::FSetp, 1, 0},
    {InstClass::ISetp, 2, 0},  {InstClass::Sel, 3, 2},
    {InstClass::Lop3, 2, 1},   {InstClass::IAdd3, 2, 0},
    {InstClass::Shf, 1, 0},    {InstClass::Branch, 1, 1}};
static const Emission OfTanh[] = {
    {InstClass::FFma, 6, 5},    {InstClass::FAdd, 1, 1},
    {InstClass::FMul, 2, 1},    {InstClass::FSetp, 2, 0},
    {InstClass::Lop3, 1, 0},    {InstClass::Sel, 2, 1},
    {InstClass::MufuEx2, 1, 1}, {InstClass::MufuRcp, 1, 1},
    {InstClass::Mov, 2, 0}};
static const Emission OfArcsine[] = {
    {InstClass::FFma, 9, 9},  {InstClass::FMul, 5, 4},
    {InstClass::FSetp, 3, 1}, {InstClass::Sel, 4, 4},
    {InstClass::Lop3, 1, 1},  {InstClass::MufuRsq, 1, 1}};
static const Emission OfPow[] = {
    {InstClass::FFma, 19, 17},  {InstClass::FAdd, 13, 10},
    {InstClass::FMul, 10, 6},   {InstClass::FSetp, 15, 3},
    {InstClass::CvtFrnd, 3, 1}, {InstClass::CvtF2I, 1, 1},
    {InstClass::CvtI2F, 1, 0},  {InstClass::MufuRcp, 1, 1},
    {InstClass::Sel, 7, 2},     {InstClass::IAdd3, 5, 1},
    {InstClass::Lop3, 1, 0},    {InstClass::Shf, 2, 1},
    {InstClass::Branch, 5, 2}};

// The coefficients are in the PTX of nvcc 13.0; the counts are those of the
// classes in the code of a kernel that calls the function for a float, less
// those of a kernel that does not. Arguments of arcsines and arccosines near 1
// and others take paths of their own: for each of the two a call of its own is
// counted.
static const LibraryFunction Library[] = {
    {0x3EB0F5FF7D2CAFE2, "powf", 85, OfPow},
    {0x3E5ADE1569CE2BDF, "expf", 17, OfExp},
    {0x3EB1380B3AE80F1E, "logf", 30, OfLog},
    {0xBDA8FF8320FD8164, "sinf or cosf", 16, OfSine},
    {0x3E5AE904A4741B81, "tanhf", 34, OfTanh},
    {0x3FB0066BDC1895E9, "asinf or acosf", 21, OfArcsine},
    {0x3EC715B371155F70, "acosf", 24, OfArcsine},
};
/// The first row; a power ends with an exponential.
static constexpr const LibraryFunction *Power = &Library[0],
                                       *Exponential = &Library[1];

static bool isConversion(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::CvtF64F32;
  });
}

static bool isDoubleOperation(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::DAdd || E.Class == InstClass::DMul ||
           E.Class == InstClass::DFma || E.Class == InstClass::DSetp;
  });
}

/// Operations that stay, with an instruction of their own for floats.
static bool hasOwnForm(const Operation &Op) {
  return Op.What == Semantics::FDiv || Op.What == Semantics::FSqrt ||
         Op.What == Semantics::FRcp;
}

/// The operand of \p Op that is a number, bit for bit.
static bool hasNumber(const KernelFacts &Facts, const Operation &Op,
                      uint64_t Bits) {
  return any_of(Op.Operands, [&](const Operand &O) {
    const Operand Of = behindCopies(Facts, O);
    return Of.isImmediate() && uint64_t(Of.Imm) == Bits;
  });
}

static const LibraryFunction *functionOf(const KernelFacts &Facts,
                                         const Operation &Op) {
  if (Op.What == Semantics::Copy || Op.Operands.empty())
    return nullptr;
  for (const LibraryFunction &F : Library)
    if (hasNumber(Facts, Op, F.Coefficient))
      return &F;
  return nullptr;
}

/// Does \p Op compute with what the doubles from floats became? Coefficients of
/// sines are loaded in pairs of them.
static bool mayBelong(const KernelFacts &Facts, const Operation &Op) {
  constexpr unsigned BytesOfPair = 16;
  if (Op.Access == NoIndex)
    return true;
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  return A.Kind == AccessKind::Load && A.BytesPerLane == BytesOfPair;
}

/// What is computed from conversions of floats to doubles, up to conversions
/// back.
static std::vector<bool> computedFromFloats(const KernelFacts &Facts) {
  std::vector<bool> Is(Facts.Operations.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t I = 0; I != Is.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      auto Reads = [&](const Operand &O) {
        return O.isValue() && Is[O.Index] &&
               // A conversion back is the last of them.
               !(isConversion(Facts.Operations[O.Index]) &&
                 Facts.Operations[O.Index].Bits == 32);
      };
      if (Is[I] || !mayBelong(Facts, Op))
        continue;
      if ((isConversion(Op) && Op.Bits == 64) || any_of(Op.Operands, Reads)) {
        Is[I] = true;
        Changed = true;
      }
    }
  }
  return Is;
}

/// The exponent of a power on \p Line, where it is a constant: the
/// library looks at the bits of its exponent.
static std::optional<double> exponentOn(const KernelFacts &Facts,
                                        const SourcePlace &Line) {
  constexpr int64_t BitsOfExponent = 0x7ff00000;
  for (const Operation &Op : Facts.Operations) {
    if (Op.What != Semantics::And || Op.Operands.size() != 2 ||
        Op.Operands[1] != Operand::immediate(BitsOfExponent))
      continue;
    const SourcePlace There = Facts.placeOf(Op.Location);
    const Operation *High = Facts.operationOf(Op.Operands[0]);
    if (!High || High->Operands.empty() || There.Line != Line.Line ||
        There.File != Line.File)
      continue;
    const Operand Of = behindCopies(Facts, High->Operands[0]);
    if (Of.isImmediate())
      return std::bit_cast<double>(uint64_t(Of.Imm));
  }
  return std::nullopt;
}

/// Multiplications instead of a power of a constant exponent.
static std::optional<unsigned> multiplicationsFor(double Exponent) {
  const double Amount = std::fabs(Exponent), Whole = std::floor(Amount);
  if (Amount != Whole || Amount < 1 || Amount > WholePower::MostExponent)
    return std::nullopt;
  WholePower P;
  P.Exponent = unsigned(Whole);
  return P.multiplications() + (Exponent < 0);
}

namespace {

using LineOf = std::pair<std::string, unsigned>;

/// Collects what one line calls.
struct LineCalls {
  SourcePlace Place;
  std::vector<std::pair<uint32_t, const LibraryFunction *>> Calls;
  std::vector<uint32_t> Ops;
};

} // namespace

static DoubleFunctions functionsOf(const KernelFacts &Facts,
                                   const LineCalls &Line) {
  DoubleFunctions Found;
  Found.Ops = Line.Ops;
  const size_t Powers = count_if(
      Line.Calls, [](const auto &Call) { return Call.second == Power; });
  const std::optional<double> Exponent =
      Powers ? exponentOn(Facts, Line.Place) : std::nullopt;
  const std::optional<unsigned> Products =
      Exponent ? multiplicationsFor(*Exponent) : std::nullopt;
  size_t OfPowers = Powers;
  double Others = 0;
  for (uint32_t I : Line.Ops) {
    const Operation &Op = Facts.Operations[I];
    if (Op.Access != NoIndex)
      Found.Loads.push_back(I);
    Others += isDoubleOperation(Op);
  }
  for (const auto &[Op, F] : Line.Calls) {
    if (F == Exponential && OfPowers != 0) {
      --OfPowers;
      continue;
    }
    ReplacedOperation R{Op, {}};
    if (F == Power && Products) {
      Found.HasWholePower = true;
      if (*Products != 0)
        R.Emits.push_back(
            {InstClass::FMul, float(*Products), float(*Products)});
    } else {
      R.Emits.assign(F->InFloat.begin(), F->InFloat.end());
      if (!is_contained(Found.Names, F->FloatName))
        Found.Names.push_back(F->FloatName);
    }
    Others -= F->Doubles;
    Found.Instead.push_back(std::move(R));
  }
  // What the line computes besides.
  if (Others > 0)
    Found.Instead.front().Emits.push_back(
        {InstClass::FFma, float(Others), float(Others)});
  return Found;
}

std::vector<DoubleFunctions> gpuocc::doubleFunctions(const KernelFacts &Facts) {
  std::map<LineOf, LineCalls> Lines;
  const std::vector<bool> IsComputed = computedFromFloats(Facts);
  for (uint32_t I = 0; I != IsComputed.size(); ++I) {
    if (!IsComputed[I])
      continue;
    const Operation &Op = Facts.Operations[I];
    const LibraryFunction *F = functionOf(Facts, Op);
    if (!F)
      continue;
    SourcePlace Place = Facts.placeOf(Op.Location);
    if (!Place.isValid())
      continue;
    LineCalls &Line = Lines[{Place.File, Place.Line}];
    Line.Place = std::move(Place);
    Line.Calls.emplace_back(I, F);
  }
  if (Lines.empty())
    return {};
  for (uint32_t I = 0; I != IsComputed.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    const SourcePlace Place = Facts.placeOf(Op.Location);
    auto At = Lines.find({Place.File, Place.Line});
    if (IsComputed[I] && At != Lines.end() && !hasOwnForm(Op) &&
        !isConversion(Op))
      At->second.Ops.push_back(I);
  }
  std::vector<DoubleFunctions> Found;
  for (const auto &[Place, Line] : Lines)
    Found.push_back(functionsOf(Facts, Line));
  return Found;
}

/// What computes functions of floats in place of \p F: the first of its calls
/// reads what the operations on doubles did, and others read that.
static void connect(KernelFacts &Facts, const DoubleFunctions &F) {
  const std::set<uint32_t> Inside(F.Ops.begin(), F.Ops.end());
  const uint32_t First = F.Instead.front().Op;
  SmallVector<Operand, 4> Inputs;
  for (uint32_t I : F.Ops)
    for (const Operand &O : Facts.Operations[I].Operands)
      if (O.isValue() && O.Index < First && !Inside.count(O.Index) &&
          !is_contained(Inputs, O))
        Inputs.push_back(O);
  auto Redirect = [&](Operand &O) {
    if (O.isValue() && Inside.count(O.Index))
      O = Operand::value(First);
  };
  for (uint32_t I = First + 1; I != Facts.Operations.size(); ++I)
    if (!Inside.count(I))
      for_each(Facts.Operations[I].Operands, Redirect);
  Facts.Operations[First].Operands.assign(Inputs.begin(), Inputs.end());
}

/// What the calls of \p F emit, at the place of the first. They depend on each
/// other no more than on what is around them: one is on the way.
static SmallVector<Emission, 1> emissionsOf(const DoubleFunctions &F) {
  SmallVector<Emission, 1> All = F.Instead.front().Emits;
  for (const ReplacedOperation &R : drop_begin(F.Instead))
    for (Emission E : R.Emits) {
      E.OnPath = 0;
      All.push_back(E);
    }
  return All;
}

Change gpuocc::useFloatFunctions(std::vector<DoubleFunctions> Functions,
                                 std::vector<ReplacedOperation> Others) {
  return makeChange(ChangeKind::ReplaceInstructions,
                    [Functions = std::move(Functions),
                     Others = std::move(Others)](KernelVariant &V) {
                      for (const ReplacedOperation &R : Others)
                        V.Facts.Operations[R.Op].Emits = R.Emits;
                      std::vector<uint32_t> Dropped;
                      for (const DoubleFunctions &F : Functions) {
                        const uint32_t First = F.Instead.front().Op;
                        connect(V.Facts, F);
                        copy_if(F.Ops, std::back_inserter(Dropped),
                                [&](uint32_t Op) { return Op != First; });
                        append_range(Dropped, F.Loads);
                        V.Facts.Operations[First].Emits = emissionsOf(F);
                      }
                      dropOperations(V, Dropped);
                      dropEmptySides(V);
                    });
}
