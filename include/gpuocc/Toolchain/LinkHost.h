//===- LinkHost.h - Linking host code without a GPU's libraries -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_LINKHOST_H
#define GPUOCC_TOOLCHAIN_LINKHOST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// Links \p Inputs (objects and archives) to \p Program with \p Compiler, a
/// path of clang++; of what is defined twice the first counts. The result are
/// the functions that no input has; when there are any, nothing was linked.
/// Fails when the compiler does for another reason.
llvm::Expected<std::vector<std::string>>
linkHost(llvm::StringRef Compiler, llvm::ArrayRef<std::string> Inputs,
         llvm::StringRef Program);

/// A source in C with functions called \p Names that do nothing and return 0.
/// Those of libraries that compute on the device tell the recorder
/// (gpuoccForget) that the arrays they are given are no longer known.
std::string idleFunctions(llvm::ArrayRef<std::string> Names);

/// The names in what a linker says of undefined symbols, each once.
std::vector<std::string> undefinedSymbols(llvm::StringRef LinkerText);

/// True for names of the form that CUDA's libraries give their functions.
bool isOfCudaLibrary(llvm::StringRef Symbol);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_LINKHOST_H
