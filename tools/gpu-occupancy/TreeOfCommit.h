//===- TreeOfCommit.h - The jobs of a project at another commit -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_TREEOFCOMMIT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_TREEOFCOMMIT_H

#include "GitRepository.h"
#include "Project.h"
#include "gpuocc/Toolchain/Process.h"
#include <optional>

namespace gpuocc {

/// The absolute include folders of \p Job.
std::vector<std::string> includeFolders(const SourceJob &Job);

/// The files of a commit in a folder of their own, which goes away with this.
class TreeOfCommit {
public:
  static llvm::Expected<TreeOfCommit> create(const GitRepository &Repository,
                                             llvm::StringRef Commit);

  /// \p Job as it is compiled in this tree: paths that the tree has replace
  /// those of the working tree, others stay. Absent where the tree lacks the
  /// source. Where the tree has no configuration for it, that of the working
  /// tree holds.
  std::optional<SourceJob> jobOf(const SourceJob &Job) const;

  /// The path in the working tree of the file \p Path of this tree; other
  /// paths stay.
  std::string originalPath(llvm::StringRef Path) const;

private:
  TreeOfCommit(TemporaryFolder Folder, llvm::StringRef Root)
      : Folder(std::move(Folder)), Root(Root) {}
  /// The path in this tree that stands for \p Path, which may have none.
  std::string pathFor(llvm::StringRef Path) const;
  std::string existingPathFor(llvm::StringRef Path) const;
  void lendConfig(llvm::StringRef Source) const;

  TemporaryFolder Folder;
  std::string Root;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_TREEOFCOMMIT_H
