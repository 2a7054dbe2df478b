//===- OperationsBehind.cpp - What a value is computed from ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::walkBehind(
    const KernelFacts &Facts, const Operand &Of,
    function_ref<ArrayRef<Operand>(const Operation &)> Follow) {
  SmallVector<uint32_t, 8> Work;
  SmallSet<uint32_t, 16> Seen;
  auto Visit = [&](const Operand &O) {
    if (O.isValue() && Seen.insert(O.Index).second)
      Work.push_back(O.Index);
  };
  for (Visit(Of); !Work.empty();)
    for (const Operand &O : Follow(Facts.Operations[Work.pop_back_val()]))
      Visit(O);
}

bool gpuocc::anyOperationBehind(const KernelFacts &Facts, const Operand &Of,
                                function_ref<bool(const Operation &)> Is) {
  bool Found = false;
  walkBehind(Facts, Of, [&](const Operation &Op) -> ArrayRef<Operand> {
    if (Found || Op.What == Semantics::Load)
      return {};
    Found = Is(Op);
    return Op.Operands;
  });
  return Found;
}

bool gpuocc::readsRegister(const KernelFacts &Facts, SpecialReg R) {
  return any_of(Facts.Operations,
                [&](const Operation &Op) { return Op.SReg == R; });
}
