//===- WriteLock.h - What changed since a lock file -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITELOCK_H
#define GPUOCC_VIEWS_WRITELOCK_H

#include "gpuocc/Lock/CompareLocks.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

enum class LockFormat : uint8_t { Text, Markdown };

/// The outcome of a check.
struct LockOutcome {
  llvm::ArrayRef<LockChange> Changes;
  /// Of all kernels that were checked.
  size_t NumKernels = 0;
  /// What accepts the changes; empty where there is none.
  llvm::StringRef Patch;
  /// Groups by cause are shown too.
  bool Explains = false;
};

/// Writes a table of the changes, their sums, and the patch; nothing but the
/// sum where nothing changed.
void writeLockChanges(const LockOutcome &Outcome, LockFormat Format,
                      llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITELOCK_H
