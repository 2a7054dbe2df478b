//===- IncludeScan.h - Which files a source may include ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_INCLUDESCAN_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_INCLUDESCAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace gpuocc {

/// Finds what sources include without compiling them: `#include` lines are
/// followed whatever condition they stand under, through every folder that has
/// such a file. What a macro names is not found. Files are read once.
class IncludeScan {
public:
  /// Files outside \p Root are not followed.
  explicit IncludeScan(llvm::StringRef Root) : Root(Root) {}

  /// Absolute paths of the files that \p File may include, itself among them;
  /// \p Folders are absolute paths of include folders.
  std::set<std::string> reach(llvm::StringRef File,
                              llvm::ArrayRef<std::string> Folders);

  /// The names in the `#include` lines of \p File.
  const std::vector<std::string> &namesIn(llvm::StringRef File);

private:
  std::string Root;
  llvm::StringMap<std::vector<std::string>> Names;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_INCLUDESCAN_H
