//===- ReadDeviceModule.h - A module to kernel facts -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H
#define GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H

#include "ReadSource.h"
#include "gpuocc/ReadLLVM/ReadModule.h"

namespace llvm {
class Module;
} // namespace llvm

namespace gpuocc {

/// The facts of the kernels in \p M, a module for NVPTX. Registers are what the
/// assembler makes of \p Ptx, the PTX that \p M was lifted from, or where that
/// is empty, of what the backend prints. Kernels that cannot be read are named
/// on standard error and in ModuleFacts::Problem; fails where there are no
/// others.
llvm::Expected<ModuleFacts> readDeviceModule(const llvm::Module &M,
                                             llvm::StringRef Ptx,
                                             const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READDEVICEMODULE_H
