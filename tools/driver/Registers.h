//===- Registers.h - Ask the assembler where there is one ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_REGISTERS_H
#define GPUOCC_TOOLS_DRIVER_REGISTERS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuocc {

/// The assembler that \p Choice stands for: empty for "off", what
/// findCudaToolkit finds for "auto", otherwise \p Choice itself, a path. Fails
/// when nothing can be run there.
llvm::Expected<std::string> choosePtxas(llvm::StringRef Choice);

/// Replaces the estimated resources of \p Kernels by what \p Ptxas (a path)
/// makes of \p Ptx. Where that fails the estimate stays and its source says
/// why.
void assembleForResources(std::vector<KernelFacts> &Kernels,
                          llvm::StringRef Ptxas, llvm::StringRef Ptx);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_REGISTERS_H
