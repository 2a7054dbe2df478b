//===- BalanceLikePtxas.cpp - Work for either pipe ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The share of moves that ptxas gives to the FMA pipe, as IMAD.MOV: 2358 of
/// 4671 in the SASS of ptxas 13.0 for sm_90 of 200 public kernels.
static constexpr float MovesOnFmaPipe = 0.5f;

/// The share of IMAD.IADD among the two-input additions of longer sequences,
/// whose registers are not told apart: 475 of 1636 of the same code.
static constexpr float AdditionsOnFmaPipe = 0.3f;

namespace {

/// Cycles that the instructions of a block so far keep the two pipes.
///
/// ptxas gives an addition to the FMA pipe when the ALU has been given more: of
/// two registers as IMAD.IADD, of an immediate as VIADD, where there is one. In
/// the SASS of ptxas 13.0 for sm_90 of 255 kernels 841 of 1392 additions of two
/// registers are on the FMA pipe and 1892 of 3205 of an immediate, 808 and 1742
/// by this; by kernel the two are 381 and 782 apart, 602 and 814 by shares that
/// are the same for all (0.3 and 0.63).
struct PipeLoads {
  double Alu = 0, Fma = 0;

  void add(InstClass Class, double Count);
};

} // namespace

void PipeLoads::add(InstClass Class, double Count) {
  switch (Class) {
  case InstClass::FAdd:
  case InstClass::FMul:
  case InstClass::FFma:
  case InstClass::IAddImm:
    // Either half of the FMA pipe.
    Fma += Count;
    return;
  case InstClass::IMad:
    Fma += 2 * Count;
    return;
  case InstClass::IMadWide:
  case InstClass::IMadHi:
    Fma += 4 * Count;
    Alu += 2 * Count;
    return;
  default:
    if (defaultPipe(Class) == Resource::Alu)
      Alu += 2 * Count;
    return;
  }
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

static bool isAddition(const Operation &Op) {
  return (Op.What == Semantics::Add || Op.What == Semantics::Sub) &&
         Op.Emits.size() == 1 && Op.Emits[0].Class == InstClass::IAdd3 &&
         Op.Bits <= 32;
}

namespace {

/// What of an emission becomes an instruction of the FMA pipe.
struct OnFmaPipe {
  float Share = 0;
  InstClass Class = InstClass::IMad;
};

} // namespace

static OnFmaPipe additionOnFmaPipe(const KernelFacts &Facts,
                                   const Operation &Op) {
  const auto NumValues =
      count_if(Op.Operands, [](const Operand &O) { return O.isValue(); });
  if (NumValues == 2)
    return {1};
  return assemblerRules(Facts.Architecture).HasImmediateAdd && NumValues == 1
             ? OnFmaPipe{1, InstClass::IAddImm}
             : OnFmaPipe();
}

/// \p E: an emission of \p Op.
static OnFmaPipe onFmaPipe(const KernelFacts &Facts, const Operation &Op,
                           const Emission &E, const PipeLoads &Before) {
  if (E.Class == InstClass::Mov)
    return {MovesOnFmaPipe};
  if (E.Class != InstClass::IAdd3 || hasThreeInputs(Facts, Op))
    return {};
  if (!isAddition(Op))
    return {AdditionsOnFmaPipe};
  return Before.Alu > Before.Fma ? additionOnFmaPipe(Facts, Op) : OnFmaPipe();
}

void gpuocc::balanceLikePtxas(KernelFacts &Facts) {
  PipeLoads Loads;
  uint32_t Block = NoIndex;
  for (Operation &Op : Facts.Operations) {
    if (Op.Block != Block) {
      Loads = {};
      Block = Op.Block;
    }
    SmallVector<Emission, 1> Moved;
    for (Emission &E : Op.Emits) {
      const auto [Share, Class] = onFmaPipe(Facts, Op, E, Loads);
      if (Share > 0)
        Moved.push_back({Class, E.Count * Share, E.OnPath * Share});
      Loads.add(Class, E.Count * Share);
      Loads.add(E.Class, E.Count * (1 - Share));
      E.Count *= 1 - Share;
      E.OnPath *= 1 - Share;
    }
    erase_if(Op.Emits, [](const Emission &E) { return E.Count <= 0; });
    Op.Emits.insert(Op.Emits.begin(), Moved.begin(), Moved.end());
  }
}
