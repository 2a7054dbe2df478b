//===- StableName.h - Names that survive refactoring ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LOCK_STABLENAME_H
#define GPUOCC_LOCK_STABLENAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// A name for the kernel \p Mangled that stays when files are renamed, lambdas
/// are added above it, or another compiler builds it: demangled, without return
/// type, numbers of lambdas, hashes of files and suffixes of compilers.
/// Different kernels may have one stable name.
///
///   _Z4eachIZ3runPfEUliE0_EviT_   each<run(float*)::'lambda'(int)>(int, ...)
std::string stableName(llvm::StringRef Mangled);

} // namespace gpuocc

#endif // GPUOCC_LOCK_STABLENAME_H
