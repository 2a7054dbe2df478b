//===- WriteGate.h - Why a change does not pass -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEGATE_H
#define GPUOCC_VIEWS_WRITEGATE_H

#include "gpuocc/Lock/CompareLocks.h"
#include "gpuocc/Report/Gate.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// What a gate says of one kernel at one place.
struct GateEntry {
  /// It ends the check with a fault; others are only shown.
  bool IsFault = true;
  /// "slowdown", "registers", the name of a rule, the verdict of a lock file.
  std::string Criterion;
  /// Empty and 0 where the place is not known.
  std::string File;
  unsigned Line = 0, Column = 0;
  std::string Message;
  /// 16 hexadecimal digits that no other entry has and that stay the same when
  /// lines are added above: made of criterion, kernel and device.
  std::string Fingerprint;
};

/// An entry for each of \p Faults.
std::vector<GateEntry> gateEntries(llvm::ArrayRef<GateFault> Faults);

/// An entry for each of \p Changes, which are changes of the lock file \p Path
/// that holds \p Text. Its place is the block of the kernel there; that of a
/// kernel which is new is the first line. Where \p IsStrict all are faults.
std::vector<GateEntry> gateEntries(llvm::ArrayRef<LockChange> Changes,
                                   llvm::StringRef Text, llvm::StringRef Path,
                                   bool IsStrict);

/// One form of what a gate says.
struct GateView {
  llvm::StringLiteral Name;
  void (*Write)(llvm::ArrayRef<GateEntry> Entries, llvm::raw_ostream &OS);
};

/// lines, as compilers write errors:
///
///   a.cu:31: error: 'k' is predicted 1.75x as slow as before, 7.1 us to
///   12.4 us on nvidia-h200, grid 32x32 ...: BankConflict at a.cu:41:28
///   [slowdown]
///
/// github, annotations of GitHub Actions; sarif, SARIF 2.1.0; codequality, the
/// report of Code Quality that GitLab reads.
llvm::ArrayRef<GateView> gateViews();

/// The view called \p Name, or nullptr.
const GateView *findGateView(llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEGATE_H
