//===- Gate.h - What a change may not bring ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_GATE_H
#define GPUOCC_REPORT_GATE_H

#include "gpuocc/Report/FailOn.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// One reason why a change does not pass. Points into what was compared.
struct GateFault {
  /// The kernel that got slower, takes more, cannot be compared any more, or
  /// has the finding.
  const KernelChange *Change = nullptr;
  /// The finding that came with the change; null: it is the kernel.
  const FindingSummary *Finding = nullptr;
  /// The number that got worse; absent: the kernel got slower, or lost its
  /// time.
  std::optional<CountedResource> Worse = std::nullopt;

  /// True where the kernel lost what it could be compared by.
  bool isUntimed() const;
  /// The criterion that it breaks: "slowdown", "registers", "cannot-compare",
  /// the name of a rule.
  llvm::StringRef criterion() const;
};

/// Why \p Criteria do not let \p Changes pass: launches that cannot run any
/// more, kernels that got slower or lost their time, numbers that got worse, in
/// the order of \p Changes, then findings that came with the change, each rule
/// once at each place. Findings of kernels that are new came with it too.
std::vector<GateFault> gateFaults(llvm::ArrayRef<KernelChange> Changes,
                                  const FailOn &Criteria);

/// The same where each change has criteria of its own.
std::vector<GateFault>
gateFaults(llvm::ArrayRef<KernelChange> Changes,
           llvm::function_ref<const FailOn &(const KernelChange &)> CriteriaOf);

} // namespace gpuocc

#endif // GPUOCC_REPORT_GATE_H
