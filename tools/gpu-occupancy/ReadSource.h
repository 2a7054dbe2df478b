//===- ReadSource.h - A source file to kernel facts ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_READSOURCE_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_READSOURCE_H

#include "gpuocc/Kernel/JSON.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// How to read a source.
struct SourceOptions {
  /// "sm_90"; for CUDA sources.
  std::string Architecture;
  /// What modules are compiled for, whatever they say; empty: what they say.
  std::string ModuleArchitecture;
  /// The compiler; empty: clang++ of the LLVM this was built with.
  std::string Clang;
  /// auto, off, or a path.
  std::string Ptxas = "auto";
  /// A log of nvcc -Xptxas -v that says the registers; empty: none.
  std::string RegistersLog;
  /// Ask the assembler for register limits too.
  bool Advise = false;
  /// auto, mir or sass.
  std::string View = "mir";
  /// The compiler that builds the program: "nvcc" or "clang". Code is made by
  /// clang in any case, of what this one makes of the source.
  std::string BuiltBy = "clang";
  /// Added to the compiler's command line, last.
  std::vector<llvm::StringRef> ClangArguments;
};

/// Fails where no CUDA source can be read: the compiler or the plugin is
/// missing.
llvm::Error checkCompiler(const SourceOptions &Options);

/// The facts of the kernels in \p File. CUDA sources are compiled by clang with
/// the plugin, against the toolkit's headers or, where there is none, the
/// bundled ones. ".ll" and ".bc" are read as they are.
///
/// Fails when the file or a program is missing, when the compiler rejects the
/// file (what it said goes to standard error), and when the module is not for
/// NVPTX.
llvm::Expected<FactsFile> readSource(llvm::StringRef File,
                                     const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_READSOURCE_H
