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

/// "sm_90" of \p Cubin; empty where its head says none that is known.
std::string architectureOfCubin(llvm::StringRef Cubin);

/// What the section .nv.info of one kernel says of how it is launched.
struct KernelAttributes {
  LaunchBounds Bounds;
  unsigned Barriers = 0;
};

/// Reads \p Bytes, what such a section holds.
KernelAttributes kernelAttributes(llvm::StringRef Bytes);

/// Shared memory of a kernel of architecture number \p Architecture whose
/// section .nv.shared has \p SectionBytes: without what the driver keeps for
/// itself at its start.
uint64_t staticSharedBytes(uint64_t SectionBytes, unsigned Architecture);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_CUBINKERNELS_H
