//===- TritonCache.h - Files that Triton keeps -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_TRITONCACHE_H
#define GPUOCC_TOOLS_SOURCES_TRITONCACHE_H

#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// What Triton's metadata beside \p PtxFile ("k.json" beside "k.ptx") says of
/// the launches of \p Kernels: warps in a block, and shared memory. Nothing
/// when there is no such file, or one of that name that is not Triton's.
std::vector<HostLaunch> launchesOfTriton(llvm::StringRef PtxFile,
                                         llvm::ArrayRef<KernelFacts> Kernels);

/// \p Paths with the PTX files in and below each folder in its place, in the
/// order of their names. Fails for a folder that has none.
llvm::Expected<std::vector<std::string>>
withPtxOfFolders(llvm::ArrayRef<llvm::StringRef> Paths);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_TRITONCACHE_H
