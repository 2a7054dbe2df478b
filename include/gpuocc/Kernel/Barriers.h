//===- Barriers.h - Operations at which threads meet ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_BARRIERS_H
#define GPUOCC_KERNEL_BARRIERS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuocc {

/// True if \p Op has the threads of a block meet at a barrier.
inline bool meetsAtBarrier(const Operation &Op) {
  return llvm::any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Barrier;
  });
}

} // namespace gpuocc

#endif // GPUOCC_KERNEL_BARRIERS_H
