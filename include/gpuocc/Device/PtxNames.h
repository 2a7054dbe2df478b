//===- PtxNames.h - One name for each PTX operation -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_PTXNAMES_H
#define GPUOCC_DEVICE_PTXNAMES_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The name under which DeviceModel::PtxInstructions has the operation that a
/// publication or a calibration calls \p Name; \p Name itself where it has no
/// other.
llvm::StringRef ptxOperation(llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_PTXNAMES_H
