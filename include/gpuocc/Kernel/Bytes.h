//===- Bytes.h - Facts between processes -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts as a process hands them to the one that it was copied from
/// (runInSubprocess). Files hold their JSON form (JSON.h).
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_BYTES_H
#define GPUOCC_KERNEL_BYTES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuocc {

/// Writes \p Kernels; what follows them is told apart when they are read.
void writeBytes(llvm::raw_ostream &OS, const std::vector<KernelFacts> &Kernels);

/// Reads what writeBytes() wrote from the front of \p Bytes and removes it.
/// Fails where the bytes are not facts, or facts whose parts do not fit
/// together (\see verifyFacts).
llvm::Expected<std::vector<KernelFacts>> readKernels(llvm::StringRef &Bytes);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_BYTES_H
