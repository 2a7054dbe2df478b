//===- ReadBinary.h - Objects and programs to kernel facts ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READBINARY_H
#define GPUOCC_TOOLS_SOURCES_READBINARY_H

#include "ReadSource.h"

namespace gpuocc {

/// True for files that may hold PTX beside machine code, by their first bytes:
/// objects, libraries, programs, cubins and fat binaries.
bool isBinaryWithCode(llvm::StringRef File);

/// The facts of the kernels in the PTX that \p File holds, in containers or
/// kept by cubins with line information, for Options.ModuleArchitecture or,
/// where that is empty, the newest architecture that it has. Where there is no
/// PTX, or Options.Code is "machine", those of its machine code. Fails, with
/// what can be done, where a program of the toolkit is missing that could tell.
llvm::Expected<FactsFile> readBinaryFile(llvm::StringRef File,
                                         const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READBINARY_H
