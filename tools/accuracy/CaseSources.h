//===- CaseSources.h - Facts of measured kernels ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_CASESOURCES_H
#define GPUOCC_TOOLS_ACCURACY_CASESOURCES_H

#include "KeptFacts.h"
#include "TruthFile.h"

namespace gpuocc {

struct SourceOptions;

/// Reads the kernels of truth cases from their published sources.
class CaseSources {
public:
  /// \p Root holds SUITE/FILE or REPOSITORY/FILE. What is in \p Kept is not
  /// compiled again.
  CaseSources(llvm::StringRef Root, KeptFacts Kept,
              const SourceOptions &Options)
      : Root(Root), Kept(std::move(Kept)), Options(Options) {}

  /// The facts of \p C. Fails when its sources are missing, do not compile, or
  /// have no such kernel.
  llvm::Expected<const KernelFacts *> find(const TruthCase &C);

  /// The kernels in all CUDA sources of \p C that compile.
  std::vector<KernelFacts> kernels(const TruthCase &C);

  /// Where the sources of \p C are.
  std::vector<std::string> paths(const TruthCase &C) const;

  /// Other sources below the folder that holds all of \p C's, and in folders it
  /// includes from.
  std::vector<std::string> nearby(const TruthCase &C) const;

  /// The options with which \p C is compiled.
  std::vector<std::string> flags(const TruthCase &C) const;

  /// These, and those by which nvcc accepts what clang takes anyway.
  std::vector<std::string> nvccFlags(const TruthCase &C) const;

  /// The machine code of \p C; null where only find() has something.
  const KernelFacts *findMachineCode(const TruthCase &C);

private:
  /// A file that was read, or why it could not be.
  struct Entry {
    FactsFile Facts;
    std::string Problem;
  };

  std::string folderOf(const TruthCase &C) const;
  const Entry &read(const TruthCase &C, llvm::StringRef File);
  llvm::Expected<FactsFile> compile(const TruthCase &C, llvm::StringRef File);

  std::string Root;
  KeptFacts Kept;
  const SourceOptions &Options;
  std::map<std::string, Entry> Files;
};

/// The options in \p Flags (of nvcc or clang) that decide what the code means:
/// -I, -D and -std. Relative folders start at \p Folder.
std::vector<std::string> portableFlags(llvm::StringRef Flags,
                                       llvm::StringRef Folder);

/// True when \p Mangled (of one compiler) and \p Name (of another) are the same
/// kernel: compilers differ in how they mark internal linkage.
bool isSameKernel(llvm::StringRef Mangled, llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_CASESOURCES_H
