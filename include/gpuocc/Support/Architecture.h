//===- Architecture.h - Names of architectures -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_ARCHITECTURE_H
#define GPUOCC_SUPPORT_ARCHITECTURE_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The number of \p Arch: 90 of "sm_90", "sm_90a" and "compute_90"; 0 of what
/// is no architecture.
unsigned architectureNumber(llvm::StringRef Arch);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_ARCHITECTURE_H
