//===- Copies.cpp - Values behind copies of them --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Copies.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;

bool gpuocc::passesOn(const Operation &Op) {
  return Op.Operands.size() == 1 &&
         (Op.What == Semantics::Copy || Op.What == Semantics::SExt ||
          Op.What == Semantics::ZExt || Op.What == Semantics::Trunc);
}

Operand gpuocc::behindCopies(const KernelFacts &Facts, Operand O) {
  while (const Operation *Op = Facts.operationOf(O)) {
    if (Op->What != Semantics::Copy || Op->Operands.size() != 1)
      break;
    O = Op->Operands[0];
  }
  return O;
}

Operand gpuocc::behindWidths(const KernelFacts &Facts, Operand O) {
  for (const Operation *Op = Facts.operationOf(O); Op && passesOn(*Op);
       Op = Facts.operationOf(O))
    O = Op->Operands[0];
  return O;
}

bool gpuocc::isSetOutside(const KernelFacts &Facts, const Loop &L, Operand O) {
  const Operation *From = Facts.operationOf(behindCopies(Facts, O));
  return !From || !llvm::is_contained(L.Blocks, From->Block);
}
