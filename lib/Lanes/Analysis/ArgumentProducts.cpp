//===- ArgumentProducts.cpp - Arguments that are multiplied ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ArgumentProducts.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

using namespace gpuocc;

namespace {

/// Finds the parameters that values are proportional to.
class ProductFinder {
public:
  explicit ProductFinder(const KernelFacts &Facts)
      : Facts(Facts), Known(Facts.Operations.size()) {}

  std::map<int64_t, unsigned> run() {
    std::map<int64_t, unsigned> Sizes;
    for (uint32_t I = 0; I < Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!multiplies(Op))
        continue;
      const Factors Both = product(Op);
      if (Both.size() > 1)
        for (int64_t Parameter : Both)
          Sizes[Parameter] = std::max(Sizes[Parameter], unsigned(Both.size()));
    }
    return Sizes;
  }

private:
  using Factors = std::set<int64_t>;

  static bool multiplies(const Operation &Op) {
    return Op.Bits == 32 &&
           (Op.What == Semantics::Mul || Op.What == Semantics::Mad);
  }

  Factors product(const Operation &Op, unsigned Depth = 0) {
    Factors Both = factorsOf(Op.Operands[0], Depth);
    Both.merge(factorsOf(Op.Operands[1], Depth));
    return Both;
  }

  /// How many operands of \p Op its size goes with: numerators, not divisors.
  static unsigned numProportional(const Operation &Op) {
    switch (Op.What) {
    case Semantics::Add:
    case Semantics::Sub:
    case Semantics::Phi:
    case Semantics::Select:
      return Op.Operands.size();
    case Semantics::Shl:
    case Semantics::ShrS:
    case Semantics::ShrU:
    case Semantics::And:
    case Semantics::DivS:
    case Semantics::DivU:
      return 1;
    default:
      return 0;
    }
  }

  /// The factors of \p O; of a sum or a choice, those of the longest part.
  Factors factorsOf(Operand O, unsigned Depth) {
    constexpr unsigned MaxDepth = 64;
    O = behindWidths(Facts, O);
    if (!O.isValue() || O.Index >= Facts.Operations.size() || Depth > MaxDepth)
      return {};
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Param)
      return Op.Bits == 32 ? Factors{parameterByteOf(Op, O.Result)} : Factors();
    if (Known[O.Index])
      return *Known[O.Index];
    // What a loop carries is not proportional to itself.
    Known[O.Index] = Factors();
    Factors Most = multiplies(Op) ? product(Op, Depth + 1) : Factors();
    for (unsigned I = 0; I < numProportional(Op); ++I)
      if (Factors Part = factorsOf(Op.Operands[I], Depth + 1);
          Part.size() > Most.size())
        Most = std::move(Part);
    Known[O.Index] = Most;
    return Most;
  }

  const KernelFacts &Facts;
  /// By operation.
  std::vector<std::optional<Factors>> Known;
};

} // namespace

std::map<int64_t, unsigned>
gpuocc::argumentsOfProducts(const KernelFacts &Facts) {
  return ProductFinder(Facts).run();
}
