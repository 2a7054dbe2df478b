//===- ReadBytes.h - What a kernel reads of its structures -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_READBYTES_H
#define GPUOCC_KERNEL_READBYTES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// Clears the bytes of structures that \p L passes and the kernel of \p Facts
/// does not read: padding holds what the host's stack held before, and made
/// equal launches look different.
void clearUnreadBytes(const KernelFacts &Facts, Launch &L);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_READBYTES_H
