//===- ApproximateLikePtxas.cpp - Quotients and logarithms by MUFU ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// div.approx and lg2.approx scale subnormal numbers before MUFU.RCP and
/// MUFU.LG2, and the result behind. ptxas leaves that out where it knows that
/// the number is none: of a positive constant and |x| or ex2.approx of x alone
/// (1 / (1 + exp(-x))), not of x * x, of what is at least a constant, or of
/// accurate functions. A sum takes the product of a quotient over (FFMA).
///
/// Source: code of ptxas 13.0 for sm_90 for 30 such functions.
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include <limits>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

class Approximator {
public:
  explicit Approximator(KernelFacts &Facts)
      : Facts(Facts), Uses(Facts.Operations.size()) {
    for (const Operation &Op : Facts.Operations)
      for (const Operand &O : Op.Operands)
        if (O.isValue())
          ++Uses[O.Index];
  }

  void run() {
    for (Operation &Op : Facts.Operations) {
      if (isQuotient(Op) && isNormal(Op.Operands[1])) {
        Op.Emits = {{InstClass::MufuRcp, 1, 1}};
        if (floatOf(Op.Operands[0]) != 1.0f)
          Op.Emits.push_back({InstClass::FMul, 1, 1});
      } else if (isScaledLogarithm(Op) && isNormal(Op.Operands[0])) {
        Op.Emits = {{InstClass::MufuLg2, 1, 1}};
      } else if (addsQuotient(Op)) {
        Op.Emits.clear();
      }
    }
  }

private:
  KernelFacts &Facts;
  std::vector<unsigned> Uses;

  static bool emits(const Operation &Op, InstClass Class) {
    return any_of(Op.Emits,
                  [&](const Emission &E) { return E.Class == Class; });
  }

  /// div.approx.f32: a product with a MUFU.RCP.
  static bool isQuotient(const Operation &Op) {
    return Op.What == Semantics::FDiv && Op.Bits == 32 &&
           Op.Operands.size() == 2 && emits(Op, InstClass::MufuRcp) &&
           !emits(Op, InstClass::FFma);
  }

  static bool isScaledLogarithm(const Operation &Op) {
    return Op.What == Semantics::FLg2 && Op.Operands.size() == 1 &&
           emits(Op, InstClass::FSetp);
  }

  bool addsQuotient(const Operation &Op) const {
    return Op.What == Semantics::FAdd && Op.Bits == 32 &&
           any_of(Op.Operands, [&](const Operand &O) {
             const Operation *Of = Facts.operationOf(O);
             return Of && Of->Block == Op.Block && Uses[O.Index] == 1 &&
                    isQuotient(*Of) && emits(*Of, InstClass::FMul);
           });
  }

  /// Is \p O a positive constant and what has no sign: |x|, or ex2.approx?
  bool isNormal(const Operand &O) const {
    const Operation *Sum = Facts.operationOf(O);
    if (!Sum || Sum->What != Semantics::FAdd || Sum->Bits != 32 ||
        Sum->Operands.size() != 2)
      return false;
    return any_of(seq(0u, 2u), [&](unsigned I) {
      const std::optional<float> C = floatOf(Sum->Operands[I]);
      const Operation *Of = Facts.operationOf(Sum->Operands[1 - I]);
      return C && *C >= std::numeric_limits<float>::min() && Of &&
             (Of->What == Semantics::FAbs || Of->What == Semantics::FEx2);
    });
  }

  std::optional<float> floatOf(const Operand &O) const {
    const Operand Behind = behindCopies(Facts, O);
    return Behind.isImmediate()
               ? std::optional(llvm::bit_cast<float>(uint32_t(Behind.Imm)))
               : std::nullopt;
  }
};

} // namespace

void gpuocc::approximateLikePtxas(KernelFacts &Facts) {
  Approximator(Facts).run();
}
