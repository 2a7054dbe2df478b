//===- WriteDevices.h - Kernels over several devices -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEDEVICES_H
#define GPUOCC_VIEWS_WRITEDEVICES_H

#include "gpuocc/Report/Report.h"
#include "gpuocc/Views/HourlyPrices.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Writes a table for each kernel and launch of \p R, a row a device: what
/// binds there, the predicted time with its interval, the time over that on
/// the first device, warps needed and available; and whether the devices agree
/// on what binds. Reports of one kernel on different devices need not stand
/// together. With \p Prices each row has what a million launches cost, and the
/// end ranks the devices by time and by money over the launches that have a
/// time on each of them.
llvm::Error writeDeviceTable(const Report &R, const HourlyPrices &Prices,
                             llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEDEVICES_H
