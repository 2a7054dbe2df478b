//===- Gate.h - What a change may not bring ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_GATE_H
#define GPUOCC_REPORT_GATE_H

#include "gpuocc/Report/FailOn.h"

namespace gpuocc {

/// One reason why a change does not pass. Points into what was compared.
struct GateFault {
  /// The kernel that got slower, or that has the finding.
  const KernelChange *Change = nullptr;
  /// The finding that came with the change; null: the kernel got slower.
  const FindingSummary *Finding = nullptr;
};

/// Why \p Criteria do not let \p Changes pass: kernels that got slower, in the
/// order of \p Changes, then findings that came with the change, each rule once
/// at each place. Findings of kernels that are new came with it too.
std::vector<GateFault> gateFaults(llvm::ArrayRef<KernelChange> Changes,
                                  const FailOn &Criteria);

} // namespace gpuocc

#endif // GPUOCC_REPORT_GATE_H
