//===- ClangDeclarations.h - Host code as clang reads it --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What only the source of nvcc's code says: names of parameters, and launches.
/// Clang parses the host code with nvcc's macros and skips bodies of device
/// functions. What it does not understand costs what stands there, not the
/// file.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_CLANGDECLARATIONS_H
#define GPUOCC_TOOLS_SOURCES_CLANGDECLARATIONS_H

#include "ReadSource.h"

namespace gpuocc {

/// The kernels of \p File, without code, and the launches in its host code.
/// Problem names the first error where clang finds some.
///
/// They are kept in Options.CacheFolder while the files that they are read
/// from are unchanged. Fails where clang is not found or says nothing of the
/// file.
llvm::Expected<FactsFile> readDeclarations(llvm::StringRef File,
                                           const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_CLANGDECLARATIONS_H
