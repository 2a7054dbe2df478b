//===- SelectLikePtxas.cpp - What an architecture does otherwise ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::selectLikePtxas(KernelFacts &Facts) {
  const AssemblerRules &Rules = assemblerRules(Facts.Architecture);
  for (Operation &Op : Facts.Operations) {
    if (Op.What != Semantics::SReg)
      continue;
    if (Rules.ReadsSizesInPlace)
      erase_if(Op.Emits,
               [](const Emission &E) { return E.Class == InstClass::Uldc; });
    for (Emission &E : Op.Emits)
      if (E.Class == InstClass::S2UR)
        E.Class = Rules.BlockIndex;
  }
}
