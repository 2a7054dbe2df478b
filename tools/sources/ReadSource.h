//===- ReadSource.h - A source file to kernel facts ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READSOURCE_H
#define GPUOCC_TOOLS_SOURCES_READSOURCE_H

#include "Shortcuts.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/Mechanism.h"
#include "gpuocc/Toolchain/NvccArguments.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// How a note begins which says that clang does not understand host code.
inline constexpr llvm::StringLiteral MissingLaunchesNote =
    "note: launches in host code of";

/// How to read a source.
struct SourceOptions {
  /// "sm_90"; for CUDA sources.
  std::string Architecture;
  /// Those that a build compiles for: the last one counts where neither
  /// Architecture nor a device is named, and the device's own with its features
  /// ("sm_90a") where a device is.
  std::vector<std::string> BuildArchitectures;
  /// Nobody named it, nor a device.
  bool ArchitectureIsDefault = false;
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
  /// The compiler that builds the program: "nvcc" or "clang".
  std::string BuiltBy = "clang";
  /// Whose code is read of CUDA sources: "nvcc", "clang", or "auto", which is
  /// nvcc's where that builds the program and is found. Clang's code of a
  /// program that nvcc builds is changed to what nvcc makes of the source.
  std::string Code = "clang";
  /// What the compiler is spared.
  SourceShortcuts Shortcuts;
  /// What facts are read with.
  Mechanisms Used;
  /// Added to the compiler's command line, last.
  std::vector<llvm::StringRef> ClangArguments;
  /// For nvcc and the assembler, as TranslatedArguments has them.
  std::vector<std::string> NvccArguments, PtxasArguments;
  /// The most registers that the build allows a thread; 0: it does not say.
  unsigned RegisterLimit = 0;
  /// Where PTX that nvcc made is kept; empty: nowhere.
  std::string CacheFolder;

  /// Takes what \p More says of nvcc and the assembler.
  void add(const TranslatedArguments &More);
};

/// Fails where no CUDA source can be read: the compiler or the plugin is
/// missing.
llvm::Error checkCompiler(const SourceOptions &Options);

/// The facts of the kernels in \p File. CUDA sources are compiled by nvcc,
/// while clang reads host code and declarations; or by clang with the plugin,
/// against the toolkit's headers or, where there is none, the bundled ones.
/// ".ll", ".bc", ".ptx" and ".mlir" are read as they are. Where nvcc was not
/// asked for by name and fails, clang's code is read and a note says why.
///
/// Fails when the file or a program is missing, when the compiler rejects the
/// file (what it said goes to standard error), and when the module is not for
/// NVPTX.
llvm::Expected<FactsFile> readSource(llvm::StringRef File,
                                     const SourceOptions &Options);

/// The kernels of the CUDA sources (.cu) among \p Files, as readSource() has
/// them. Fails as that does.
llvm::Expected<std::vector<KernelFacts>>
readKernels(llvm::ArrayRef<std::string> Files, const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READSOURCE_H
