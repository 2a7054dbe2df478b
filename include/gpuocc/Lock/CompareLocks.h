//===- CompareLocks.h - What changed since a lock file ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LOCK_COMPARELOCKS_H
#define GPUOCC_LOCK_COMPARELOCKS_H

#include "gpuocc/Lock/LockFile.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// What a change of a kernel means, the worst first.
enum class LockVerdict : uint8_t {
  /// A launch that ran cannot run.
  CannotRun,
  /// A prediction grew by the threshold or more; where no time is known, local
  /// memory is used more, or as before and an SM holds fewer blocks.
  Slower,
  /// A prediction that was known is not: nothing can be compared.
  CannotCompare,
  /// The opposite of Slower.
  Faster,
  /// Something else than the time changed.
  Changed,
  Added,
  Removed
};

/// "cannot run", "slower", ...
llvm::StringRef lockVerdictText(LockVerdict V);

/// One kernel that is not as the lock file says. Points into the locks.
struct LockChange {
  /// Null for what was added or removed.
  const LockedKernel *Before = nullptr;
  const LockedKernel *After = nullptr;
  LockVerdict Verdict = LockVerdict::Changed;
  /// Largest predicted time after over before among its launches; 1 where none
  /// can be compared.
  double Ratio = 1;
  /// "98 registers instead of 86: 2 blocks per SM instead of 3; time 1.18x;
  /// bound by latency, which needs 30 of 24 warps".
  std::string Reason;

  const LockedKernel &either() const { return After ? *After : *Before; }
};

/// Why a change happened, for many kernels at once.
struct LockCause {
  /// "more registers", "spills", "another launch".
  std::string What;
  std::vector<const LockChange *> Changes;
};

/// The kernels in which \p After differs from \p Before, the worst first. A
/// prediction counts as changed where it moved by \p Threshold, twice as far
/// where loaded data decides (changeThreshold). Both are normalized.
std::vector<LockChange> compareLocks(const LockFile &Before,
                                     const LockFile &After, double Threshold);

/// True where \p Change ends a check with a fault.
bool costsTime(const LockChange &Change);

/// \p Changes by cause, the cause of most changes first.
std::vector<LockCause> causesOf(llvm::ArrayRef<LockChange> Changes);

} // namespace gpuocc

#endif // GPUOCC_LOCK_COMPARELOCKS_H
