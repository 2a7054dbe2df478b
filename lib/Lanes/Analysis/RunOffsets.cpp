//===- RunOffsets.cpp - Loaded offsets of runs of lanes -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/RunOffsets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The terms of the sum that an address is.
class AddressSum {
public:
  struct Term {
    uint32_t Op;
    uint64_t Factor;
  };

  explicit AddressSum(const KernelFacts &Facts) : Facts(Facts) {}

  ArrayRef<Term> read(const Operand &Address) {
    Terms.clear();
    add(Address, 1, 0);
    return Terms;
  }

private:
  /// Bounds the search in sums of many terms.
  static constexpr unsigned MostTerms = 16, DeepestTerm = 24;

  void add(const Operand &O, uint64_t Factor, unsigned Depth) {
    const Operation *Op = Facts.operationOf(O);
    if (!Op || Depth == DeepestTerm || Terms.size() == MostTerms)
      return;
    ArrayRef<Operand> A = Op->Operands;
    // The constant factor of a product, and the operand that it multiplies.
    const Operand *Product = nullptr;
    uint64_t Scale = 1;
    switch (Op->What) {
    case Semantics::Copy:
    case Semantics::ZExt:
    case Semantics::SExt:
    case Semantics::Trunc:
      return add(A[0], Factor, Depth + 1);
    case Semantics::Add:
      add(A[0], Factor, Depth + 1);
      return add(A[1], Factor, Depth + 1);
    case Semantics::Shl:
      if (A.size() == 2 && A[1].isImmediate() && uint64_t(A[1].Imm) < 64)
        return add(A[0], Factor << A[1].Imm, Depth + 1);
      break;
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      for (unsigned I = 0; I != 2 && A.size() >= 2; ++I)
        if (A[I].isImmediate()) {
          Product = &A[1 - I];
          Scale = uint64_t(A[I].Imm);
        }
      if (!Product)
        break;
      add(*Product, Factor * Scale, Depth + 1);
      if (A.size() == 3)
        add(A[2], Factor, Depth + 1);
      return;
    default:
      break;
    }
    Terms.push_back({O.Index, Factor});
  }

  const KernelFacts &Facts;
  SmallVector<Term, MostTerms> Terms;
};

} // namespace

/// Does operation \p I load from where data lead the lanes apart?
static bool isGathered(const KernelFacts &Facts, ArrayRef<StaticTraits> Traits,
                       uint32_t I) {
  const Operation &Op = Facts.Operations[I];
  if (Op.What != Semantics::Load || Op.Access >= Facts.Accesses.size())
    return false;
  const StaticTraits T = traitsOf(Traits, Facts.Accesses[Op.Access].Base);
  return T.Data && T.Varying;
}

RunOffsets gpuocc::findRunOffsets(const KernelFacts &Facts,
                                  ArrayRef<StaticTraits> Traits) {
  RunOffsets Found{std::vector<bool>(Facts.Operations.size()),
                   std::vector<bool>(Facts.Accesses.size())};
  AddressSum Sum(Facts);
  for (const auto &[I, A] : enumerate(Facts.Accesses)) {
    if (A.Space != MemorySpace::Global && A.Space != MemorySpace::Generic)
      continue;
    const auto Terms = Sum.read(A.Base);
    auto IsPerElement = [&](const AddressSum::Term &T) {
      return T.Factor == A.BytesPerLane;
    };
    if (none_of(Terms, [&](const AddressSum::Term &T) {
          return IsPerElement(T) &&
                 Facts.Operations[T.Op].SReg == SpecialReg::TidX;
        }))
      continue;
    for (const AddressSum::Term &T : Terms)
      if (IsPerElement(T) && isGathered(Facts, Traits, T.Op))
        Found.Loads[T.Op] = Found.Accesses[I] = true;
  }
  return Found;
}
