//===- MakefileOptions.h - What makefiles say of options --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_MAKEFILEOPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_MAKEFILEOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuocc {

/// Options that a makefile gives to compilers, as far as its text says them.
struct MakefileOptions {
  /// Absolute paths, of folders that exist.
  std::vector<std::string> IncludeFolders;
  /// "NAME" or "NAME=VALUE", each name once.
  std::vector<std::string> Macros;
};

/// The options of the makefile that is nearest to \p File, in its folder or in
/// one above, up to \p Root, and of those below \p Root that it includes: -I
/// anywhere, -D in variables that are set whatever holds. Words with variables
/// or quotes are left out, and so is a macro with several values. Both paths
/// are absolute.
MakefileOptions nearestMakefile(llvm::StringRef File, llvm::StringRef Root);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_MAKEFILEOPTIONS_H
