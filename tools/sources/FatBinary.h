//===- FatBinary.h - Device code in containers of the CUDA toolkit -*- C++ -*-//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_FATBINARY_H
#define GPUOCC_TOOLS_SOURCES_FATBINARY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Calls \p Visit with each cubin in \p Bytes, which may be a cubin, a fat
/// binary, or hold some of both, as objects, libraries and programs do. Parts
/// of fat binaries that are compressed with Zstandard or LZ4 are decompressed;
/// what \p Visit is given lives until it returns.
///
/// Fails on what is cut off or damaged, and on parts that this build cannot
/// decompress. No program is run.
llvm::Error
forEachCubin(llvm::StringRef Bytes,
             llvm::function_ref<llvm::Error(llvm::StringRef Cubin)> Visit);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_FATBINARY_H
