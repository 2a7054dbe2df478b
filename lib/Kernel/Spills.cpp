//===- Spills.cpp - Accesses that spill registers -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Spills.h"
#include "gpuocc/Kernel/KernelFacts.h"

using namespace gpuocc;

bool gpuocc::isSpill(const KernelFacts &Facts, const MemoryAccess &A) {
  return A.Base.K == Operand::Kind::Symbol &&
         Facts.Symbols[A.Base.Index].Name == SpillSymbol;
}
