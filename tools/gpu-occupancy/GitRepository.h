//===- GitRepository.h - What changed, and what was before ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GITREPOSITORY_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GITREPOSITORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A repository and its working tree, read by the git in PATH without the
/// programs that its configuration names: monitors, hooks, filters, differs and
/// what fetches missing objects. Nothing of it is changed, its index and list
/// of worktrees included, so that a hook of git may use it and a signal leaves
/// nothing behind.
class GitRepository {
public:
  /// The repository that \p Folder lies in. Fails where there is none, and
  /// where there is no git.
  static llvm::Expected<GitRepository> around(llvm::StringRef Folder);

  /// The top folder of the working tree, absolute.
  llvm::StringRef root() const { return Root; }

  /// The commit at which HEAD left \p Revision; \p Revision itself where the
  /// two have none in common. Fails where it is no commit.
  llvm::Expected<std::string> commitBefore(llvm::StringRef Revision) const;

  /// The files of the working tree that are not as in \p Commit: absolute
  /// paths, new ones that git does not ignore among them.
  llvm::Expected<std::vector<std::string>>
  changedSince(llvm::StringRef Commit) const;

  /// Lays the files of \p Commit out below \p Folder, which exists. Submodules
  /// are links to those of the working tree.
  llvm::Error checkOut(llvm::StringRef Commit, llvm::StringRef Folder) const;

private:
  GitRepository() = default;
  /// What git prints for \p Arguments, run in Root.
  llvm::Expected<std::string>
  git(llvm::ArrayRef<llvm::StringRef> Arguments,
      std::vector<std::string> Environment = {}) const;

  llvm::Error switchFiltersOff();

  std::string Program, Root;
  /// Settings for git.
  std::vector<std::string> WithoutFilters;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GITREPOSITORY_H
