//===- PtxTable.h - Every PTX arithmetic instruction -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_PTXTABLE_H
#define GPUOCC_CALIBRATION_KERNELS_PTXTABLE_H

#include "Arithmetic.h"

namespace gpuocc::calibration {

/// PTX instructions as they are written, whatever machine code they become
/// (Arafa et al. 2019, Table II). Key is the name of a row.
llvm::ArrayRef<ArithmeticSpec> ptxTableSpecs();

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_PTXTABLE_H
