//===- NamedFiles.h - Files that options and configurations name *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_NAMEDFILES_H
#define GPUOCC_TOOLS_SOURCES_NAMEDFILES_H

#include "AssessFile.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The configuration \p Path, the device database that it names and the files
/// with what arrays hold; the first alone where it cannot be read, nothing
/// where \p Path is empty.
std::vector<std::string> filesOfConfig(llvm::StringRef Path);

/// The files that an analysis of \p Source reads since \p Options, or the
/// configuration that holds for it, name them.
std::vector<std::string> namedFiles(const AssessFileOptions &Options,
                                    llvm::StringRef Source);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_NAMEDFILES_H
