//===- LiftAtomic.cpp - PTX atomics to LLVM IR --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

using Rmw = AtomicRMWInst::BinOp;

/// The operation of \p Op; BAD_BINOP where IR has none.
static Rmw operationOf(const PtxMnemonic &Op) {
  const bool IsFloat = Op.type().isFloat(), IsSigned = Op.type().isSigned();
  for (StringRef Word : drop_begin(Op.Words)) {
    const Rmw Found = StringSwitch<Rmw>(Word)
                          .Case("add", IsFloat ? Rmw::FAdd : Rmw::Add)
                          .Case("and", Rmw::And)
                          .Case("or", Rmw::Or)
                          .Case("xor", Rmw::Xor)
                          .Case("exch", Rmw::Xchg)
                          .Case("min", IsSigned ? Rmw::Min : Rmw::UMin)
                          .Case("max", IsSigned ? Rmw::Max : Rmw::UMax)
                          .Case("inc", Rmw::UIncWrap)
                          .Case("dec", Rmw::UDecWrap)
                          .Default(Rmw::BAD_BINOP);
    if (Found != Rmw::BAD_BINOP)
      return IsFloat && Found != Rmw::FAdd && Found != Rmw::Xchg
                 ? Rmw::BAD_BINOP
                 : Found;
  }
  return Rmw::BAD_BINOP;
}

/// "atom.global.add.u32 d, [a], b", "atom.shared.cas.b32 d, [a], b, c", and
/// "red" without a result.
static bool liftAtomic(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  const bool HasResult = Op.first() == "atom";
  const size_t At = HasResult ? 1 : 0;
  const PtxType T = Op.type();
  // Vectors, packed numbers, and what LLVM would make a loop of.
  if (S.Operands.size() < At + 2 || T.Bits < 32 || T.Bits > 64 ||
      T.Text.contains('x') || Op.has("v2") || Op.has("v4") || Op.has("v8"))
    return false;
  unsigned Space = GenericSpace;
  for (StringRef Word : drop_begin(Op.Words))
    if (addressSpaceOf(Word) != GenericSpace)
      Space = addressSpaceOf(Word);
  const bool IsSwap = Op.has("cas");
  const Rmw What = operationOf(Op);
  if (!IsSwap && What == Rmw::BAD_BINOP)
    return false;
  if (Op.releases() && Space != SharedSpace)
    L.intrinsic("llvm.nvvm.membar.gl", {});
  Value *Where = L.address(S.Operands[At], Space);
  Value *V = L.read(S.Operands[At + 1], T);
  const MaybeAlign Natural(T.Bits / 8);
  Value *Old = nullptr;
  if (IsSwap) {
    if (S.Operands.size() < At + 3)
      return false;
    Value *New = L.read(S.Operands[At + 2], T);
    Old = L.Builder.CreateExtractValue(
        L.Builder.CreateAtomicCmpXchg(Where, V, New, Natural,
                                      AtomicOrdering::Monotonic,
                                      AtomicOrdering::Monotonic),
        0);
  } else {
    Old = L.Builder.CreateAtomicRMW(What, Where, V, Natural,
                                    AtomicOrdering::Monotonic);
  }
  if (HasResult)
    L.write(S.Operands[0], Old);
  return true;
}

ArrayRef<LiftRow> gpuocc::atomicRows() {
  static constexpr LiftRow Rows[] = {{"atom", liftAtomic}, {"red", liftAtomic}};
  return Rows;
}
