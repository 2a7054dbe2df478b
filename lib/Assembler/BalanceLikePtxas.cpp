//===- BalanceLikePtxas.cpp - Work for either pipe ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The share of a class that ptxas gives to the FMA pipe instead, as IMAD with
/// a factor of 1, 0 or a power of two.
struct BalanceRow {
  InstClass Class;
  float OnFmaPipe;
};

} // namespace

/// Shares of IMAD.IADD among two-input additions and of IMAD.MOV among moves in
/// the SASS of ptxas 13.0 for sm_90 of 200 public kernels (475 of 1636, 2358 of
/// 4671).
static constexpr BalanceRow BalanceTable[] = {
    {InstClass::IAdd3, 0.3f},
    {InstClass::Mov, 0.5f},
};

static float shareOnFmaPipe(InstClass Class) {
  for (const BalanceRow &Row : BalanceTable)
    if (Row.Class == Class)
      return Row.OnFmaPipe;
  return 0;
}

/// IADD3 with three inputs: another addition was folded into \p Op.
static bool hasThreeInputs(const KernelFacts &Facts, const Operation &Op) {
  return any_of(Op.Operands, [&](const Operand &O) {
    if (!O.isValue())
      return false;
    const Operation &P = Facts.Operations[O.Index];
    return P.Emits.empty() &&
           (P.What == Semantics::Add || P.What == Semantics::Sub);
  });
}

void gpuocc::balanceLikePtxas(KernelFacts &Facts) {
  std::vector<bool> Stays(Facts.Operations.size());
  for (size_t I = 0; I != Facts.Operations.size(); ++I)
    Stays[I] = hasThreeInputs(Facts, Facts.Operations[I]);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    SmallVector<Emission, 1> Moved;
    for (Emission &E : Op.Emits) {
      float Share = Stays[I] ? 0 : shareOnFmaPipe(E.Class);
      if (Share == 0)
        continue;
      Moved.push_back({InstClass::IMad, E.Count * Share, E.OnPath * Share});
      E.Count *= 1 - Share;
      E.OnPath *= 1 - Share;
    }
    Op.Emits.insert(Op.Emits.begin(), Moved.begin(), Moved.end());
  }
}
