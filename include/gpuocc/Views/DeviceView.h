//===- DeviceView.h - Device databases for a reader ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_DEVICEVIEW_H
#define GPUOCC_VIEWS_DEVICEVIEW_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Writes every number of \p Device with unit, origin and source, and at the
/// end the keys that the database could have and has not.
void writeDeviceText(const DeviceModel &Device, llvm::raw_ostream &OS);

/// Writes where \p First and \p Second have other values, with the second as a
/// multiple of the first, and how many numbers they share.
void writeDeviceComparison(const DeviceModel &First, const DeviceModel &Second,
                           llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_DEVICEVIEW_H
