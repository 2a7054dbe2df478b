//===- NvccCode.h - The kernels of a source as nvcc makes them --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_NVCCCODE_H
#define GPUOCC_TOOLS_SOURCES_NVCCCODE_H

#include "ReadSource.h"

namespace gpuocc {

/// The nvcc that compiles sources under \p Options; empty where clang does.
/// Fails when nvcc is asked for by name and there is none.
llvm::Expected<std::string> chooseNvcc(const SourceOptions &Options);

/// \p Options for the architecture with the features of it alone ("sm_90a") if
/// \p Messages, of nvcc, say that the code needs them and nobody chose
/// "sm_90"; nothing else.
std::optional<SourceOptions> withFeaturesOfOne(llvm::StringRef Messages,
                                               const SourceOptions &Options);

/// The PTX that \p Nvcc (a path) makes of \p File. It is kept in
/// Options.CacheFolder and used again while the files that it was made from are
/// unchanged.
llvm::Expected<std::string> ptxByNvcc(llvm::StringRef Nvcc,
                                      llvm::StringRef File,
                                      const SourceOptions &Options);

/// The kernels of \p File in \p Ptx, which nvcc made of it; without launches.
llvm::Expected<FactsFile> readNvccPtx(llvm::StringRef Ptx, llvm::StringRef File,
                                      const SourceOptions &Options);

/// Reads those of \p Kernels anew that call functions which their file does not
/// define and another of \p Files does: nvcc makes PTX of each file, with all
/// of its functions, and what a kernel needs is linked to it. Does nothing
/// where nvcc does not compile the files.
void linkKernels(llvm::ArrayRef<std::string> Files,
                 std::vector<KernelFacts> &Kernels,
                 const SourceOptions &Options);

/// Gives the kernels of \p Code what only the source says: names and alignments
/// of parameters, and the launches of \p Declared, the same source as clang
/// reads it.
void takeDeclarations(FactsFile &Code, FactsFile Declared);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_NVCCCODE_H
