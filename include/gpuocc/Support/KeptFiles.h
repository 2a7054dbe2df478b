//===- KeptFiles.h - Files that a cache keeps -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_KEPTFILES_H
#define GPUOCC_SUPPORT_KEPTFILES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// What tells one version of the file at \p Path from another: its size in
/// bytes and the time of its last change. Empty where there is no file.
std::string stateOfFile(llvm::StringRef Path);

/// \p Body as a cache keeps it: behind a line with the version of the format,
/// the build that wrote it, and a checksum.
std::string sealed(llvm::StringRef Body);

/// The body in \p Text, which sealed() made; nothing where a bit of it has
/// changed since, or another version or build wrote it.
std::optional<llvm::StringRef> unsealed(llvm::StringRef Text);

/// Removes all but the \p Most newest files in \p Folder whose names end in
/// \p Ending. A file that cannot be removed stays.
void keepNewestFiles(llvm::StringRef Folder, size_t Most,
                     llvm::StringRef Ending = "");

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_KEPTFILES_H
