//===- LookedUpFiles.h - What a failed compile depends on -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_LOOKEDUPFILES_H
#define GPUOCC_TOOLS_SOURCES_LOOKEDUPFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuocc {

/// Writes the dependence file that \p Options ask for with -MF, of a \p File
/// that \p Clang refused: the files that it reads with \p Options, which also
/// choose the language, and for each header that is missing the paths at which
/// clang would find it. Clang itself writes nothing where a header is missing.
/// Without -MF, or where clang does not answer, nothing is written.
void noteLookedUpFiles(llvm::StringRef Clang,
                       llvm::ArrayRef<std::string> Options,
                       llvm::StringRef File);

/// The folders that clang searches for headers, in the text that `-v` prints.
std::vector<std::string> searchedFolders(llvm::StringRef Said);

/// The rule of make by which \p Target is made of \p Files, with its escapes.
std::string formatDependencies(llvm::StringRef Target,
                               llvm::ArrayRef<std::string> Files);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_LOOKEDUPFILES_H
