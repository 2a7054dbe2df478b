//===- KeptDeclarations.h - What clang read of a source ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_KEPTDECLARATIONS_H
#define GPUOCC_TOOLS_SOURCES_KEPTDECLARATIONS_H

#include "ReadSource.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Reads the declarations of a source under the options that it is given.
using DeclarationReader =
    llvm::function_ref<llvm::Expected<FactsFile>(const SourceOptions &)>;

/// What \p Read reads of \p File with clang's \p Command under \p Options. It
/// is kept in Options.CacheFolder, also that the source is wrong, and used
/// again while the files that it was read from are unchanged. Where \p Options
/// ask for a dependence file, whoever wants that keeps the whole report.
llvm::Expected<FactsFile> keptDeclarations(llvm::StringRef File,
                                           llvm::ArrayRef<std::string> Command,
                                           const SourceOptions &Options,
                                           DeclarationReader Read);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_KEPTDECLARATIONS_H
