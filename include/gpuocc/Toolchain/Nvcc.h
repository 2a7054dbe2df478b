//===- Nvcc.h - PTX from nvcc -----------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_NVCC_H
#define GPUOCC_TOOLCHAIN_NVCC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// What nvcc makes of a source.
struct NvccOutput {
  std::string Ptx;
  /// The files that device code is made from, as a rule of make.
  std::string DependenceFile;
};

/// The PTX, with lines, that \p Nvcc (a path) makes of \p File for
/// \p Architecture ("sm_90") under \p Options (TranslatedArguments::Nvcc).
/// Fails when it cannot be run or rejects the file; the error is the first
/// of its own.
llvm::Expected<NvccOutput> runNvcc(llvm::StringRef Nvcc, llvm::StringRef File,
                                   llvm::StringRef Architecture,
                                   llvm::ArrayRef<std::string> Options);

/// "nvcc 13.0" of the comments that nvcc puts before its PTX; empty where
/// another compiler made it.
std::string nvccOfPtx(llvm::StringRef Ptx);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_NVCC_H
