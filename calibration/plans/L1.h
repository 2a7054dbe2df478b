//===- L1.h - Parts of the plan of L1 --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_L1_H
#define GPUOCC_CALIBRATION_PLANS_L1_H

#include "Session.h"

namespace gpuocc::calibration {

/// Which lines share a bank of tags.
llvm::Error measureTagBanks(Session &S);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_L1_H
