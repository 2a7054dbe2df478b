//===- MathLibrary.cpp - Functions whose arguments are drawn --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/MathLibrary.h"
#include "Analysis/FloatSemantics.h"
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

/// Does \p Op read its operands as floating-point numbers?
static bool readsNumbers(const Operation &Op) {
  return isFloatingPoint(Op.What) && Op.What != Semantics::FFromS &&
         Op.What != Semantics::FFromU;
}

namespace {

/// Follows operands upwards.
class Marker {
public:
  explicit Marker(const KernelFacts &Facts)
      : Facts(Facts), Found(Facts.Operations.size()) {}

  /// Marks \p O if it is one of those that \p May be, and what it is made of as
  /// far as that \p PassesOn its operands.
  template <typename Predicate, typename Through>
  void mark(const Operand &O, Predicate May, Through PassesOn) {
    SmallVector<Operand, 32> Work = {O};
    while (!Work.empty()) {
      const Operand Next = Work.pop_back_val();
      if (!Next.isValue() || Next.Index >= Found.size() || Found[Next.Index] ||
          !May(Next.Index))
        continue;
      Found[Next.Index] = true;
      const Operation &Op = Facts.Operations[Next.Index];
      if (PassesOn(Op))
        Work.append(Op.Operands.begin(), Op.Operands.end());
    }
  }

  std::vector<bool> take() { return std::move(Found); }

private:
  const KernelFacts &Facts;
  std::vector<bool> Found;
};

} // namespace

static std::vector<bool> findConditions(const KernelFacts &Facts,
                                        const std::vector<bool> &IsCode) {
  Marker Conditions(Facts);
  auto Mark = [&](const Operand &O) {
    Conditions.mark(
        O, [&](uint32_t Op) { return IsCode[Op]; },
        [](const Operation &) { return true; });
  };
  for (const Branch &B : Facts.Branches)
    if (B.Op < IsCode.size() && IsCode[B.Op])
      Mark(B.Condition);
  for (size_t I = 0; I < Facts.Operations.size(); ++I)
    if (IsCode[I])
      Mark(Facts.Operations[I].Guard);
  return Conditions.take();
}

static std::vector<bool> findArguments(const KernelFacts &Facts,
                                       const std::vector<bool> &IsCode,
                                       const std::vector<bool> &IsCondition) {
  Marker Arguments(Facts);
  for (size_t I = 0; I < Facts.Operations.size(); ++I) {
    if (!IsCode[I] || !readsNumbers(Facts.Operations[I]))
      continue;
    for (const Operand &O : Facts.Operations[I].Operands)
      Arguments.mark(
          O, [&](uint32_t Op) { return !IsCondition[Op]; },
          [](const Operation &Op) {
            return Op.What == Semantics::Phi || Op.What == Semantics::Select ||
                   Op.What == Semantics::Copy;
          });
  }
  return Arguments.take();
}

MathLibrary gpuocc::findMathLibrary(const KernelFacts &Facts) {
  const std::vector<bool> IsCode = findLibraryCode(Facts);
  MathLibrary Found;
  Found.IsCondition = findConditions(Facts, IsCode);
  Found.IsArgument = findArguments(Facts, IsCode, Found.IsCondition);
  return Found;
}
