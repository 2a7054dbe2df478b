//===- NearbyHeaders.h - Headers that no option names -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_NEARBYHEADERS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_NEARBYHEADERS_H

#include "IncludeScan.h"
#include "llvm/ADT/StringSet.h"

namespace gpuocc {

/// The files of a tree by name. Where options are guessed, a header that lies
/// in none of the guessed folders is taken from the tree; of several, the one
/// that shares most folders with the source.
class NearbyHeaders {
public:
  explicit NearbyHeaders(llvm::StringRef Root);

  /// Folders that \p File and what it includes need beside \p Folders, in the
  /// order of need. All paths are absolute. Headers of the system may be
  /// among them: the folders are for the end of the search.
  std::vector<std::string> foldersFor(llvm::StringRef File,
                                      llvm::ArrayRef<std::string> Folders);

  /// True when a file that foldersFor was asked for includes \p Source, a path
  /// as above, other than through itself.
  bool isIncluded(llvm::StringRef Source) const {
    return Included.contains(Source);
  }

private:
  /// The path of \p Name that is nearest to \p File; empty: there is none.
  std::string nearest(llvm::StringRef Name, llvm::StringRef File) const;

  llvm::StringMap<std::vector<std::string>> PathsByName;
  IncludeScan Scan;
  llvm::StringSet<> Included;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_NEARBYHEADERS_H
