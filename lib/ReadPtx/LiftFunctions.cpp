//===- LiftFunctions.cpp - PTX special functions to LLVM IR -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"

using namespace gpuocc;
using namespace llvm;

/// "rcp.approx.ftz.f32" as "llvm.nvvm.rcp.approx.ftz.f".
static bool liftByName(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  const PtxType T = Op.type();
  if (S.Operands.size() != 2 || (T.Text != "f32" && T.Text != "f64"))
    return false;
  // LLVM selects the same instruction as without ".ftz", which takes ten times
  // as many of the machine.
  if (Op.Text == "rsqrt.approx.ftz.f64")
    return false;
  Value *A = L.read(S.Operands[1], T);
  const std::string Name =
      ("llvm.nvvm." + Op.Text.drop_back(T.Text.size())).str();
  Value *Result = L.intrinsic(Name + (T.Bits == 32 ? "f" : "d"), {A});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

/// "ex2.approx.f32": LLVM has one name for all types.
static bool liftExponential(FunctionLifter &L, const PtxStatement &S,
                            const PtxMnemonic &Op) {
  const PtxType T = Op.type();
  if (S.Operands.size() != 2 || T.Text != "f32")
    return false;
  Value *A = L.read(S.Operands[1], T);
  Value *Result = L.intrinsic(Op.has("ftz") ? "llvm.nvvm.ex2.approx.ftz"
                                            : "llvm.nvvm.ex2.approx",
                              {A}, {A->getType()});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

ArrayRef<LiftRow> gpuocc::functionRows() {
  static constexpr LiftRow Rows[] = {
      {"rcp", liftByName},     {"sqrt", liftByName}, {"rsqrt", liftByName},
      {"lg2", liftByName},     {"sin", liftByName},  {"cos", liftByName},
      {"ex2", liftExponential}};
  return Rows;
}
