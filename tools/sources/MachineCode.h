//===- MachineCode.h - Machine code alone to kernel facts -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_MACHINECODE_H
#define GPUOCC_TOOLS_SOURCES_MACHINECODE_H

#include "ReadSource.h"

namespace gpuocc {

/// \p E with the name of \p File before it.
llvm::Error inFile(llvm::StringRef File, llvm::Error E);

/// The facts of the kernels in the machine code that \p File holds, whose
/// contents are \p Bytes, for Options.ModuleArchitecture or, where that is
/// empty, the newest architecture that it has. Fails, with what can be done,
/// where the file holds none or a program of the toolkit is missing.
llvm::Expected<FactsFile> readMachineCode(llvm::StringRef File,
                                          llvm::StringRef Bytes,
                                          const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_MACHINECODE_H
