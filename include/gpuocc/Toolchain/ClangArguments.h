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

/// Of \p Arguments, a command line of clang in a repository's compilation
/// database without the compiler's name, what an analysis compiles with: the
/// options that sortOptions() takes; architectures apart. Relative paths start
/// at \p Directory.
TranslatedArguments selectClangArguments(llvm::ArrayRef<std::string> Arguments,
                                         llvm::StringRef Directory);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_CLANGARGUMENTS_H
