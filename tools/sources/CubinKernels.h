//===- CubinKernels.h - What sections say of kernels ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_CUBINKERNELS_H
#define GPUOCC_TOOLS_SOURCES_CUBINKERNELS_H

#include "CubinFile.h"
#include "gpuocc/ReadSass/ReadSass.h"

namespace gpuocc {

/// Kernels by their mangled names.
using CubinKernels = std::map<std::string, SassKernel>;

/// What the sections of \p Cubin say of its kernels: parameters, registers,
/// stack, shared memory, launch bounds, variables. Empty where \p Cubin is
/// damaged or has no kernel.
CubinKernels kernelsOfCubin(llvm::StringRef Cubin);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_CUBINKERNELS_H
