//===- ClangArguments.h - clang's command line, for an analysis -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_CLANGARGUMENTS_H
#define GPUOCC_TOOLCHAIN_CLANGARGUMENTS_H

#include "gpuocc/Toolchain/NvccArguments.h"

namespace gpuocc {

/// Of \p Arguments, a command line of clang without the compiler's name, what
/// an analysis compiles with: without phases, outputs, dependence files and
/// inputs; architectures apart. All other options stay as they are.
TranslatedArguments selectClangArguments(llvm::ArrayRef<std::string> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_CLANGARGUMENTS_H
