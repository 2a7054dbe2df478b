//===- Paths.h - Paths and folders ------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_PATHS_H
#define GPUOCC_SUPPORT_PATHS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// \p Path, absolute and without "." and "..". A relative one starts at
/// \p Directory; where that is empty, at the working directory.
std::string absolutePath(llvm::StringRef Path, llvm::StringRef Directory = "");

/// The regular files in and below \p Folder whose names end in \p Extension
/// (".cu"; empty: all), in the order of names; links to folders are not
/// followed. Fails where \p Folder cannot be read; folders below that cannot
/// are left out, and \p Unread receives them.
llvm::Expected<std::vector<std::string>>
filesBelow(llvm::StringRef Folder, llvm::StringRef Extension,
           std::vector<std::string> *Unread = nullptr);

/// True when filesBelow would find any; stops at the first.
bool hasFileBelow(llvm::StringRef Folder, llvm::StringRef Extension);

/// True when \p Path exists and, links followed, lies in or below \p Folder.
bool isWithin(llvm::StringRef Path, llvm::StringRef Folder);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_PATHS_H
