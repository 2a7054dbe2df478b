//===- ReadMlirFile.h - MLIR to kernel facts --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READMLIRFILE_H
#define GPUOCC_TOOLS_SOURCES_READMLIRFILE_H

#include "ReadSource.h"

namespace gpuocc {

/// True if the name of \p File is that of MLIR, as text or bytecode.
bool isMlir(llvm::StringRef File);

/// The facts of the kernels in \p File, by mlir-opt with the plugin of MLIR,
/// and the launches of its host code. What cannot be lowered becomes a warning
/// each. Fails where mlir-opt or the plugin is missing, where mlir-opt rejects
/// the file, and where no kernel is left.
llvm::Expected<FactsFile> readMlirFile(llvm::StringRef File,
                                       const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READMLIRFILE_H
