//===- AccessCopies.h - Accesses of one statement ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_ACCESSCOPIES_H
#define GPUOCC_KERNEL_ACCESSCOPIES_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// True if \p A and \p B do the same to places a constant apart: by the form of
/// their addresses, or as copies of one statement in an unrolled loop.
bool areCopies(const KernelFacts &Facts, const MemoryAccess &A,
               const MemoryAccess &B);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_ACCESSCOPIES_H
