//===- KnownCompilers.h - Compilers that a repository may name --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_KNOWNCOMPILERS_H
#define GPUOCC_TOOLCHAIN_KNOWNCOMPILERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// True when \p Program, which a repository names, may be run: it has the name
/// of a compiler ("g++", "clang++-22", "x86_64-linux-gnu-gcc") and lies in
/// /usr/bin, /usr/local/bin or a folder of PATH; or one of \p Globs matches its
/// absolute path. A name without a folder is looked for in PATH. A path that a
/// shell would not take as it is never may.
bool mayRunCompiler(llvm::StringRef Program, llvm::ArrayRef<std::string> Globs);

/// Fails where one of \p Globs is no pattern.
llvm::Error checkGlobs(llvm::ArrayRef<std::string> Globs);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_KNOWNCOMPILERS_H
