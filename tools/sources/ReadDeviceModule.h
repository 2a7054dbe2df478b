//===- ReadDeviceModule.h - A module to kernel facts -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H
#define GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H

#include "ReadSource.h"

namespace llvm {
class Module;
} // namespace llvm

namespace gpuocc {

/// The facts of the kernels in \p M, a module for NVPTX. Registers are what the
/// assembler makes of \p Ptx, the PTX that \p M was lifted from, or where that
/// is empty, of what the backend prints.
llvm::Expected<std::vector<KernelFacts>>
readDeviceModule(const llvm::Module &M, llvm::StringRef Ptx,
                 const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H
