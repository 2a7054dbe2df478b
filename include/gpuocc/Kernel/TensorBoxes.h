//===- TensorBoxes.h - Bytes of tiles from tensor maps ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_TENSORBOXES_H
#define GPUOCC_KERNEL_TENSORBOXES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// Gives the copies of tiles in \p Facts the bytes of the boxes of the tensor
/// maps that a recorded launch \p L passes by value. The code alone says only
/// what a barrier expects: with multicast, that is what several blocks copy.
void takeTensorBoxes(const Launch &L, KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_TENSORBOXES_H
