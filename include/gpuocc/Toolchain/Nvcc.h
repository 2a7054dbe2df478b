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
  /// What that calls the source.
  std::string NameOfSource;
};

/// The PTX, with lines, that \p Nvcc (a path) makes of \p File for
/// \p Architecture ("sm_90") under \p Options (TranslatedArguments::Nvcc).
/// Fails when it cannot be run or rejects the file; the error is the first
/// of its own. \p TextOf, if not empty, is a file with a text to be read in
/// the place of \p File's.
///
/// nvcc hands its commands to a shell. It gets no name and no macro of
/// anybody's there: it compiles a copy of \p File in a temporary folder, where
/// it runs, and the host compiler reads include folders and macros from a file.
/// Places,
/// __FILE__ and names of kernels are those of \p File.
llvm::Expected<NvccOutput> runNvcc(llvm::StringRef Nvcc, llvm::StringRef File,
                                   llvm::StringRef Architecture,
                                   llvm::ArrayRef<std::string> Options,
                                   llvm::StringRef TextOf = "");

/// \p Path, of a source, as it stands in nvcc's PTX, which escapes nothing:
/// with
/// '_' in the place of what would end the name or begin an escape.
std::string nameInPtx(llvm::StringRef Path);

/// "nvcc 13.0" of the comments that nvcc puts before its PTX; empty where
/// another compiler made it.
std::string nvccOfPtx(llvm::StringRef Ptx);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_NVCC_H
