//===- SwitchedNumbers.h - Devices without some numbers ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_SWITCHEDNUMBERS_H
#define GPUOCC_LIB_MODEL_NUMBERS_SWITCHEDNUMBERS_H

#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Support/Mechanism.h"

namespace gpuocc {

/// \p Device without the numbers that the mechanisms left out of \p Used live
/// on: the formulas take a number that a database lacks for no effect.
DeviceModel withNumbersOf(DeviceModel Device, const Mechanisms &Used);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_SWITCHEDNUMBERS_H
