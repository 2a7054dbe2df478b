//===- FindAll.h - All rules over one case ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_FINDALL_H
#define GPUOCC_LIB_ASSESS_FINDALL_H

#include "Rules.h"

namespace gpuocc {

/// The findings of all rules that nobody suppressed: verdict first, then by
/// gain. Smaller gains than AssessOptions::MinimumGain are left out. \p Others
/// were found elsewhere and go before those without a price.
Findings findAll(const Case &C, Findings Others = {});

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_FINDALL_H
