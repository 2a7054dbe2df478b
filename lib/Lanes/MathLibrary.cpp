//===- MathLibrary.cpp - Functions whose arguments are drawn --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathLibrary.h"
#include "FloatOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// The header in which clang declares the functions of libdevice.
static constexpr StringLiteral WrapperHeader = "__clang_cuda_math.h";

static std::vector<bool> findLibraryCode(const KernelFacts &Facts) {
  std::vector<bool> IsLocation(Facts.Locations.size());
  for (size_t I = 0; I < Facts.Locations.size(); ++I)
    IsLocation[I] =
        sys::path::filename(Facts.placeOf(uint32_t(I)).File) == WrapperHeader;
  std::vector<bool> IsCode(Facts.Operations.size());
  for (size_t I = 0; I < Facts.Operations.size(); ++I) {
    const uint32_t Location = Facts.Operations[I].Location;
    IsCode[I] = Location < IsLocation.size() && IsLocation[Location];
  }
  return IsCode;
}

std::vector<bool> gpuocc::findMathConditions(const KernelFacts &Facts) {
  const std::vector<bool> IsCode = findLibraryCode(Facts);
  std::vector<bool> Found(Facts.Operations.size());
  SmallVector<uint32_t, 32> Work;
  auto Enter = [&](const Operand &O) {
    if (!O.isValue() || O.Index >= Found.size() || !IsCode[O.Index] ||
        Found[O.Index])
      return;
    Found[O.Index] = true;
    Work.push_back(O.Index);
  };
  for (const Branch &B : Facts.Branches)
    if (B.Op < IsCode.size() && IsCode[B.Op])
      Enter(B.Condition);
  for (size_t I = 0; I < Facts.Operations.size(); ++I)
    if (IsCode[I])
      Enter(Facts.Operations[I].Guard);
  while (!Work.empty())
    for (const Operand &O : Facts.Operations[Work.pop_back_val()].Operands)
      Enter(O);
  return Found;
}

/// Does \p Op read its operands as floating-point numbers?
static bool readsNumbers(const Operation &Op) {
  return isFloatingPoint(Op.What) && Op.What != Semantics::FFromS &&
         Op.What != Semantics::FFromU;
}

std::vector<bool>
gpuocc::findMathArguments(const KernelFacts &Facts,
                          const std::vector<bool> &InLibrary) {
  std::vector<bool> Found(Facts.Operations.size());
  SmallVector<uint32_t, 32> Work;
  auto Enter = [&](const Operand &O) {
    if (!O.isValue() || O.Index >= Found.size() || InLibrary[O.Index] ||
        Found[O.Index])
      return;
    Found[O.Index] = true;
    Work.push_back(O.Index);
  };
  const std::vector<bool> IsCode = findLibraryCode(Facts);
  for (size_t I = 0; I < Facts.Operations.size(); ++I)
    if (IsCode[I] && readsNumbers(Facts.Operations[I]))
      for (const Operand &O : Facts.Operations[I].Operands)
        Enter(O);
  while (!Work.empty()) {
    const Operation &Op = Facts.Operations[Work.pop_back_val()];
    if (Op.What == Semantics::Phi || Op.What == Semantics::Select ||
        Op.What == Semantics::Copy)
      for (const Operand &O : Op.Operands)
        Enter(O);
  }
  return Found;
}
