//===- KeptFiles.h - Files that a cache keeps -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_KEPTFILES_H
#define GPUOCC_SUPPORT_KEPTFILES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// What tells one version of the file at \p Path from another: its size in
/// bytes and the time of its last change. Empty where there is no file.
std::string stateOfFile(llvm::StringRef Path);

/// Removes all but the \p Most newest files in \p Folder whose names end in
/// \p Ending. A file that cannot be removed stays.
void keepNewestFiles(llvm::StringRef Folder, size_t Most,
                     llvm::StringRef Ending = "");

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_KEPTFILES_H
