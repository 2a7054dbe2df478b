//===- Compiler.h - The compiler of CUDA sources ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_COMPILER_H
#define GPUOCC_TOOLS_SOURCES_COMPILER_H

#include "gpuocc/Toolchain/Process.h"
#include <vector>

namespace gpuocc {

/// A file laid beside this program by build and install: `../\p Below`.
std::string besideProgram(llvm::StringRef Below);

/// The path of \p Choice, or when that is empty of the clang++ of the LLVM that
/// this was built with. Fails when there is none.
llvm::Expected<std::string> findClang(llvm::StringRef Choice);

/// Why \p Clang did not compile \p File, after \p Run: it is another compiler
/// than the one that the plugin was built for, it crashed, or the source is
/// wrong. What it said of the source is in the error (CompilerMessages).
llvm::Error compileProblem(llvm::StringRef Clang, llvm::StringRef File,
                           const ProcessResult &Run);

/// The lines with an error of what a compiler printed, without spaces around.
std::vector<llvm::StringRef> compilerErrors(llvm::StringRef Messages);

/// The first line with an error of what a compiler printed, or its first line.
llvm::StringRef firstCompilerError(llvm::StringRef Messages);

/// What the first of \p Forms, regular expressions with one group, finds in
/// \p CompilerError; empty where none does.
llvm::StringRef wordOfError(llvm::StringRef CompilerError,
                            llvm::ArrayRef<llvm::StringLiteral> Forms);

/// The header that \p CompilerError, a line of clang or nvcc, says is missing;
/// empty where it says something else.
llvm::StringRef missingHeader(llvm::StringRef CompilerError);

/// True when \p Messages, what a compiler printed, have an error for want of a
/// header, which no other reading of the source finds in the same folders.
bool lacksHeader(llvm::StringRef Messages);

/// True when the first error in \p Messages has a place in a file: a source is
/// wrong, rather than the machine short of something.
bool isErrorInSource(llvm::StringRef Messages);

/// The path of the pass plugin. Fails when it is not where the build lays it.
llvm::Expected<std::string> findPlugin();

/// The root of the CUDA toolkit whose headers are used; empty where the bundled
/// ones are.
std::string toolkitOfHeaders();

/// Options that choose the CUDA headers: the toolkit's, with which kernels have
/// the names that nvcc gives them, or the bundled ones.
std::vector<std::string> headerOptions();

/// The header that declares what CUDA 12 and 13 removed, for programs of older
/// toolkits.
std::string removedCudaHeader();

/// The header that makes clang keep __cluster_dims__ for code that runs.
std::string clusterDimsHeader();

/// Options with which clang reads what nvcc takes and clang does not: headers
/// that nvcc includes, and declarations of older toolkits.
std::vector<std::string> hostHeaderOptions();

/// Runs \p Clang with \p Command, whose last word is the source; where that
/// fails, on copies with DoubledEscapes, and as runClangLikeNvcc() does.
llvm::Expected<ProcessResult> runClang(llvm::StringRef Clang,
                                       llvm::ArrayRef<std::string> Command);

/// Runs \p Clang with \p Command, which failed with \p First, and with what
/// nvcc takes beyond it (host code with its min and max, 'register', and
/// barriers in shared memory) and what CUDA removed. \p First where that fails
/// too.
llvm::Expected<ProcessResult>
runClangLikeNvcc(llvm::StringRef Clang, llvm::ArrayRef<std::string> Command,
                 ProcessResult First);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_COMPILER_H
