//===- TensorCores.cpp - Products of matrices on tensor cores -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/TensorCores.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/MergeWork.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// Multiply-adds of the lanes of a warp in one instruction.
static constexpr double Lanes = 32;

constexpr static double product(double M, double N, double K) {
  return M * N * K;
}

/// What multiplies and adds today, and the matrix product of its numbers.
static constexpr TensorForm Forms[] = {
    {InstClass::FFma, 16, InstClass::MmaF16K16, Lanes, product(16, 8, 16), 80,
     "half precision with sums in float"},
    {InstClass::FFma, 32, InstClass::MmaTf32K8, Lanes, product(16, 8, 8), 80,
     "tf32 (factors are rounded to 10 bits behind the point)"},
    {InstClass::HFma2, 16, InstClass::MmaF16K16, Lanes, product(16, 8, 16), 80,
     "half precision"},
    {InstClass::HFma2, 32, InstClass::MmaF16K16, 2 * Lanes, product(16, 8, 16),
     80, "half precision"},
    {InstClass::BFma2, 32, InstClass::MmaBf16K16, 2 * Lanes, product(16, 8, 16),
     80, "bf16"},
    {InstClass::DFma, 64, InstClass::MmaF64, Lanes, product(8, 8, 4), 80,
     "double precision"},
    {InstClass::Idp, 32, InstClass::MmaS8K32, 4 * Lanes, product(16, 8, 32), 80,
     "8-bit integers"},
};

static const Emission *multiplyAddOf(const Operation &Op) {
  const auto *At = find_if(Op.Emits, [](const Emission &E) {
    return any_of(Forms,
                  [&](const TensorForm &F) { return F.From == E.Class; });
  });
  return At != Op.Emits.end() && Op.Operands.size() >= 3 ? At : nullptr;
}

/// Bits of the factors of \p Op: of what they were before they were extended.
static unsigned bitsOfFactors(const KernelFacts &Facts, const Operation &Op) {
  const auto WasHalf = [&](const Operand &O) {
    const Operation *From = Facts.operationOf(O);
    return From && From->What == Semantics::FConvert && From->FromBits == 16;
  };
  return WasHalf(Op.Operands[0]) && WasHalf(Op.Operands[1]) ? 16 : Op.Bits;
}

const TensorForm *gpuocc::tensorFormOf(const KernelFacts &Facts,
                                       const Operation &Op) {
  const InstClass Class = multiplyAddOf(Op)->Class;
  const unsigned Bits = bitsOfFactors(Facts, Op);
  const TensorForm *Any = nullptr;
  for (const TensorForm &F : Forms)
    if (F.From == Class) {
      if (F.Bits == Bits)
        return &F;
      Any = &F;
    }
  return Any;
}

/// For each operation, true where it adds to a sum that a loop carries.
static std::vector<bool> addsToSum(const KernelFacts &Facts) {
  std::vector<bool> Adds(Facts.Operations.size());
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    const uint32_t L = Facts.Blocks[Op.Block].Loop;
    if (L == NoIndex || !multiplyAddOf(Op) || !Op.Operands[2].isValue())
      continue;
    const uint32_t Sum = Op.Operands[2].Index;
    Adds[I] = Adds[Sum] || (Facts.Operations[Sum].What == Semantics::Phi &&
                            is_contained(Facts.Loops[L].Blocks,
                                         Facts.Operations[Sum].Block));
  }
  return Adds;
}

std::vector<uint32_t> gpuocc::productsOfMatrices(const KernelVariant &V) {
  const Dim3 Block = V.Launched.Block.Value;
  std::vector<uint32_t> Found;
  if (Block.X < 2 || Block.Y < 2)
    return Found;
  const std::vector<bool> Adds = addsToSum(V.Facts);
  if (!is_contained(Adds, true))
    return Found;
  const auto OfX =
      dependsOnMerged(V.Facts, V.Profile, {MergeOf::Threads, 0, 2});
  const auto OfY =
      dependsOnMerged(V.Facts, V.Profile, {MergeOf::Threads, 1, 2});
  if (!OfX || !OfY)
    return Found;
  for (uint32_t I = 0; I != V.Facts.Operations.size(); ++I) {
    const Operation &Op = V.Facts.Operations[I];
    if (!Adds[I] || !Op.Operands[0].isValue() || !Op.Operands[1].isValue())
      continue;
    const uint32_t A = Op.Operands[0].Index, B = Op.Operands[1].Index;
    // One factor is of the row, the other one of the column.
    if ((*OfX)[A] != (*OfX)[B] && (*OfY)[A] != (*OfY)[B] &&
        (*OfX)[A] != (*OfY)[A])
      Found.push_back(I);
  }
  return Found;
}

/// The loads that \p Op is made of, through conversions.
static void addLoads(const KernelFacts &Facts, const Operand &O,
                     std::vector<uint32_t> &Loads, unsigned Depth = 0) {
  constexpr unsigned MostConversions = 3;
  const Operation *Op = Facts.operationOf(O);
  if (!Op || Depth > MostConversions)
    return;
  if (Op->Access != NoIndex) {
    if (!is_contained(Loads, O.Index))
      Loads.push_back(O.Index);
    return;
  }
  if (Op->What != Semantics::Phi)
    for (const Operand &In : Op->Operands)
      addLoads(Facts, In, Loads, Depth + 1);
}

static void multiplyOnTensorCores(KernelVariant &V,
                                  ArrayRef<uint32_t> Products) {
  std::vector<uint32_t> Loads;
  double Share = 1;
  for (uint32_t I : Products) {
    Operation &Op = V.Facts.Operations[I];
    const TensorForm &Form = *tensorFormOf(V.Facts, Op);
    Share = Form.share();
    addLoads(V.Facts, Op.Operands[0], Loads);
    addLoads(V.Facts, Op.Operands[1], Loads);
    for (Emission &E : Op.Emits)
      if (E.Class == Form.From)
        E = {Form.To, float(E.Count * Share), float(E.OnPath * Share)};
  }
  // A fragment takes one load, as a word did before. What L2 and DRAM bring is
  // the same.
  for (uint32_t I : Loads) {
    for (Emission &E : V.Facts.Operations[I].Emits) {
      E.Count *= float(Share);
      E.OnPath *= float(Share);
    }
    AccessProfile &P = V.Profile.Accesses[V.Facts.Operations[I].Access];
    P.RequestsPerWarp *= Share;
    P.ExecutionsPerWarp *= Share;
    P.L1HitFraction = 1 - std::min(1.0, (1 - P.L1HitFraction) / Share);
    P.LineVisitFraction = std::min(1.0, P.LineVisitFraction / Share);
    P.L1WaitFraction = std::min(1.0, P.L1WaitFraction / Share);
  }
}

double gpuocc::shareOfProducts(const KernelVariant &V,
                               ArrayRef<uint32_t> Products) {
  double All = 0, Part = 0;
  for (const Operation &Op : V.Facts.Operations)
    for (const Emission &E : Op.Emits)
      if (any_of(Forms, [&](const auto &F) { return F.From == E.Class; }))
        All += E.Count * V.Profile.Blocks[Op.Block].ExecutionsPerWarp;
  for (uint32_t I : Products) {
    const Operation &Op = V.Facts.Operations[I];
    Part +=
        multiplyAddOf(Op)->Count * V.Profile.Blocks[Op.Block].ExecutionsPerWarp;
  }
  return All > 0 ? Part / All : 0;
}

Change gpuocc::useTensorCores(std::vector<uint32_t> Products) {
  return makeChange(ChangeKind::UseTensorCores,
                    [Products = std::move(Products)](KernelVariant &V) {
                      multiplyOnTensorCores(V, Products);
                    });
}
