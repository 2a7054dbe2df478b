//===- Spacing.cpp - How far apart the elements of an array are -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spacing.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The greatest divisor of what operations give, operation by operation.
class Spacing {
public:
  explicit Spacing(const KernelFacts &Facts) : Facts(Facts) {}

  int64_t of(const Operand &O) {
    // The least number has no absolute value.
    if (O.isImmediate())
      return O.Imm == std::numeric_limits<int64_t>::min() ? 1 : O.Imm;
    if (!O.isValue())
      return 1;
    const auto [At, IsNew] = Found.insert({{O.Index, O.Result}, 0});
    // A loop adds to what it begins with: what it adds is looked at.
    if (!IsNew)
      return At->second;
    const int64_t Value = compute(Facts.Operations[O.Index], O.Result);
    return Found[{O.Index, O.Result}] = Value;
  }

private:
  const KernelFacts &Facts;
  std::map<std::pair<uint32_t, uint16_t>, int64_t> Found;

  /// Products of strangers' numbers are cut short: 1 is always true.
  static int64_t times(int64_t A, int64_t B) {
    constexpr int64_t Most = 1 << 20;
    return std::abs(A) > Most || std::abs(B) > Most ? 1 : A * B;
  }

  int64_t product(const Operand &A, const Operand &B) {
    return times(of(A), of(B));
  }

  int64_t compute(const Operation &Op, uint16_t Result) {
    auto In = [&](unsigned K) { return of(Op.Operands[K]); };
    switch (Op.What) {
    case Semantics::Param: {
      const uint64_t Byte = uint64_t(parameterByteOf(Op, Result));
      return any_of(Facts.Parameters,
                    [&](const Parameter &P) {
                      return P.IsPointer && P.OffsetBytes == Byte;
                    })
                 ? 0
                 : 1;
    }
    case Semantics::Copy:
    case Semantics::SExt:
    case Semantics::ZExt:
      return In(0);
    case Semantics::Add:
    case Semantics::Sub:
      return std::gcd(In(0), In(1));
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return product(Op.Operands[0], Op.Operands[1]);
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return std::gcd(product(Op.Operands[0], Op.Operands[1]), In(2));
    case Semantics::Shl:
      return Op.Operands[1].isImmediate() && Op.Operands[1].Imm >= 0 &&
                     Op.Operands[1].Imm < 16
                 ? times(In(0), int64_t(1) << Op.Operands[1].Imm)
                 : 1;
    case Semantics::Phi: {
      int64_t All = 0;
      for (const Operand &O : Op.Operands)
        All = std::gcd(All, of(O));
      return All;
    }
    default:
      return 1;
    }
  }
};

} // namespace

int64_t gpuocc::spacingOf(const KernelFacts &Facts, const Operand &O) {
  return std::abs(Spacing(Facts).of(O));
}
