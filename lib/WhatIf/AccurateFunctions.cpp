//===- AccurateFunctions.cpp - Functions that have an intrinsic -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AccurateFunctions.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A function and its intrinsic, in instructions as nvcc 13.0 has them on the
/// usual path (-O3 -arch=sm_90).
struct Function {
  /// Bits of a coefficient that one operation of each call has.
  uint32_t Coefficient;
  StringLiteral Name, Instead, Error;
  ArrayRef<Emission> Accurate, Fast;
};

} // namespace

static const Emission OfExp[] = {
    {InstClass::FFma, 4},   {InstClass::FAdd, 1},   {InstClass::FMul, 1},
    {InstClass::Shf, 1},    {InstClass::Mov, 0.5f}, {InstClass::IMad, 0.5f},
    {InstClass::MufuEx2, 1}};
static const Emission FastExp[] = {
    {InstClass::FSetp, 1, 0}, {InstClass::FMul, 3}, {InstClass::MufuEx2, 1}};
static const Emission OfLog[] = {
    {InstClass::FFma, 12},   {InstClass::FAdd, 1},   {InstClass::FMul, 2},
    {InstClass::FSetp, 2},   {InstClass::CvtI2F, 1}, {InstClass::IAdd3, 1.4f},
    {InstClass::IMad, 1.6f}, {InstClass::Lop3, 1},   {InstClass::ISetp, 1},
    {InstClass::Shf, 1},     {InstClass::Sel, 3},    {InstClass::Mov, 1}};
static const Emission FastLog[] = {{InstClass::FSetp, 1, 0},
                                   {InstClass::FMul, 2},
                                   {InstClass::FAdd, 1, 0},
                                   {InstClass::MufuLg2, 1}};
static const Emission OfLogOfMore[] = {
    {InstClass::FFma, 11}, {InstClass::FAdd, 2},   {InstClass::FMul, 2},
    {InstClass::IAdd3, 3}, {InstClass::CvtI2F, 1}, {InstClass::Lop3, 1},
    {InstClass::ISetp, 1}, {InstClass::Branch, 1}, {InstClass::Converge, 2}};
static const Emission FastLogOfMore[] = {{InstClass::FSetp, 1, 0},
                                         {InstClass::FMul, 2},
                                         {InstClass::FAdd, 2, 1},
                                         {InstClass::MufuLg2, 1}};
static const Emission OfSine[] = {
    {InstClass::FFma, 8},   {InstClass::FAdd, 1},     {InstClass::FMul, 2},
    {InstClass::FSetp, 1},  {InstClass::CvtF2I, 1},   {InstClass::CvtI2F, 1},
    {InstClass::ISetp, 2},  {InstClass::Sel, 3},      {InstClass::Lop3, 2},
    {InstClass::IMad, 1},   {InstClass::IAdd3, 1},    {InstClass::Shf, 1},
    {InstClass::Branch, 1}, {InstClass::Converge, 2}, {InstClass::Mov, 0.5f}};
static const Emission FastSine[] = {{InstClass::FMul, 1},
                                    {InstClass::MufuSin, 1}};
static const Emission OfTanh[] = {
    {InstClass::FFma, 6},    {InstClass::FAdd, 1},    {InstClass::FMul, 2},
    {InstClass::FSetp, 2},   {InstClass::Lop3, 1},    {InstClass::Sel, 2},
    {InstClass::MufuEx2, 1}, {InstClass::MufuRcp, 1}, {InstClass::Mov, 1},
    {InstClass::IMad, 1}};
static const Emission FastTanh[] = {{InstClass::MufuTanh, 1}};
static const Emission OfPow[] = {
    {InstClass::FFma, 19},   {InstClass::FAdd, 13},   {InstClass::FMul, 10},
    {InstClass::FSetp, 15},  {InstClass::CvtFrnd, 3}, {InstClass::CvtF2I, 1},
    {InstClass::CvtI2F, 1},  {InstClass::MufuRcp, 1}, {InstClass::Sel, 7},
    {InstClass::IAdd3, 3},   {InstClass::IMad, 2},    {InstClass::Lop3, 1},
    {InstClass::Shf, 1},     {InstClass::Mov, 1},     {InstClass::Branch, 5},
    {InstClass::Converge, 2}};
static const Emission FastPow[] = {{InstClass::FSetp, 2, 0},
                                   {InstClass::FMul, 4},
                                   {InstClass::FAdd, 1, 0},
                                   {InstClass::MufuLg2, 1},
                                   {InstClass::MufuEx2, 1}};

// Errors: CUDA C++ Programming Guide 13.0, section of intrinsic functions; of
// tanh.approx.f32: PTX ISA 9.0. The coefficients are in the PTX of nvcc 13.0.
static const Function Library[] = {
    {0x3BBB989D, "expf", "__expf(x)", "2 + |1.173 x| ulp", OfExp, FastExp},
    {0x3C57FA62, "exp10f", "__exp10f(x)", "2 + |2.97 x| ulp", OfExp, FastExp},
    {0x3E1039F6, "logf or log10f", "__logf(x) or __log10f(x)",
     "an error of 2^-21.4 near 1 and 3 ulp elsewhere", OfLog, FastLog},
    {0xBE374E43, "log2f", "__log2f(x)",
     "an error of 2^-22 near 1 and 2 ulp elsewhere", OfLog, FastLog},
    {0x3DD80012, "log1pf", "__logf(1 + x)",
     "an error of 2^-21.4 from -0.5 to 1, and 3 ulp elsewhere,", OfLogOfMore,
     FastLogOfMore},
    {0x37CBAC00, "sinf or cosf", "__sinf(x) or __cosf(x)",
     "an error of 2^-21.2 from -pi to pi, and more beyond,", OfSine, FastSine},
    {0x4038AA3B, "tanhf", "tanh.approx.f32", "a relative error of 2^-11",
     OfTanh, FastTanh},
    {0x391FCB8E, "powf", "__powf(x, y)", "the error of exp2f(y * __log2f(x))",
     OfPow, FastPow},
};

static const Function *functionOf(const KernelFacts &Facts,
                                  const Operation &Op) {
  constexpr unsigned Single = 32;
  // expf(-x) has the coefficient of expf(x), negated.
  constexpr uint32_t Amount = 0x7FFFFFFF;
  if (Op.What == Semantics::Copy || Op.Bits != Single)
    return nullptr;
  for (const Operand &O : Op.Operands) {
    const Operand Of = behindCopies(Facts, O);
    if (!Of.isImmediate())
      continue;
    for (const Function &F : Library)
      if (((uint32_t(Of.Imm) ^ F.Coefficient) & Amount) == 0)
        return &F;
  }
  return nullptr;
}

/// Operations of several instructions that stay what they are.
static bool hasOwnForm(const Operation &Op) {
  switch (Op.What) {
  case Semantics::FDiv:
  case Semantics::FRcp:
  case Semantics::FSqrt:
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    return true;
  default:
    return Op.Access != NoIndex;
  }
}

namespace {

/// Hands the operations of a line out to the calls that are on it.
class Calls {
public:
  explicit Calls(const KernelFacts &Facts) {
    std::map<std::pair<std::string, unsigned>, std::vector<uint32_t>> Lines;
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      Left.push_back(Op.Emits);
      const SourcePlace Place = Facts.placeOf(Op.Location);
      if (Place.isValid() && !hasOwnForm(Op))
        Lines[{Place.File, Place.Line}].push_back(I);
    }
    LineOf.resize(Left.size(), NoIndex);
    for (auto &[Place, Ops] : Lines) {
      for (uint32_t I : Ops)
        LineOf[I] = uint32_t(OpsOfLine.size());
      OpsOfLine.push_back(std::move(Ops));
    }
  }

  AccurateFunction take(uint32_t Op, const Function &F) {
    AccurateFunction Call{F.Name, F.Instead, F.Error, Op, {}, 0};
    SmallVector<Emission, 16> Wanted(F.Accurate.begin(), F.Accurate.end());
    for (uint32_t I : onLine(Op)) {
      bool IsChanged = false;
      for (Emission &E : Left[I])
        for (Emission &W : Wanted) {
          const float Taken = std::min(E.Count, W.Count);
          if (E.Class != W.Class || Taken <= 0)
            continue;
          E.Count -= Taken;
          W.Count -= Taken;
          Call.Instructions += double(Taken);
          IsChanged = true;
        }
      erase_if(Left[I], [](const Emission &E) { return E.Count <= 0; });
      if (IsChanged && I != Op)
        Call.Replaced.push_back({I, Left[I]});
    }
    Left[Op].append(F.Fast.begin(), F.Fast.end());
    Call.Replaced.push_back({Op, Left[Op]});
    return Call;
  }

private:
  /// What no call has of each operation.
  std::vector<SmallVector<Emission, 1>> Left;

  std::vector<std::vector<uint32_t>> OpsOfLine;
  /// By operation, an index in OpsOfLine; NoIndex where no line is known.
  std::vector<uint32_t> LineOf;

  /// The operations of the line of \p Op, the nearest first.
  std::vector<uint32_t> onLine(uint32_t Op) const {
    if (LineOf[Op] == NoIndex)
      return {Op};
    std::vector<uint32_t> Ops = OpsOfLine[LineOf[Op]];
    auto Key = [&](uint32_t I) {
      return std::pair(std::abs(int64_t(I) - int64_t(Op)), I);
    };
    llvm::sort(Ops, [&](uint32_t A, uint32_t B) { return Key(A) < Key(B); });
    return Ops;
  }
};

} // namespace

std::vector<AccurateFunction>
gpuocc::accurateFunctions(const KernelFacts &Facts) {
  std::vector<AccurateFunction> Found;
  if (Facts.isInIssueOrder())
    return Found;
  Calls All(Facts);
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
    if (const Function *F = functionOf(Facts, Facts.Operations[I]))
      Found.push_back(All.take(I, *F));
  return Found;
}
