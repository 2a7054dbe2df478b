//===- ProcessTree.h - A process and what it started -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_TOOLCHAIN_PROCESSTREE_H
#define GPUOCC_LIB_TOOLCHAIN_PROCESSTREE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace gpuocc {

/// A process as /proc has it.
struct ProcessEntry {
  pid_t Id = 0, Parent = 0;
  /// It has ended and waits for its parent to notice.
  bool HasEnded = false;
  uint64_t ResidentPages = 0;
};

/// The entry in \p Stat, the text of /proc/ID/stat; nothing where it is none.
std::optional<ProcessEntry> parseProcessEntry(llvm::StringRef Stat);

/// The processes of \p All below \p Root, which is not among them.
std::vector<ProcessEntry> processesBelow(pid_t Root,
                                         std::vector<ProcessEntry> All);

/// The processes below this one. What loses its parent stays below it where it
/// is the one that such processes are given to (PR_SET_CHILD_SUBREAPER).
std::vector<ProcessEntry> processesBelowThis();

} // namespace gpuocc

#endif // GPUOCC_LIB_TOOLCHAIN_PROCESSTREE_H
