//===- Uniformity.h - Values that all lanes share ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_UNIFORMITY_H
#define GPUOCC_KERNEL_UNIFORMITY_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// For each operation, true when the assembler can see that its result is the
/// same in all lanes of a warp: it comes from kernel parameters, block indices,
/// constants and constant memory alone, and the way to it too.
std::vector<bool> uniformOperations(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_UNIFORMITY_H
