//===- DeviceView.h - Device databases for a reader ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_DEVICEVIEW_H
#define GPUOCC_VIEWS_DEVICEVIEW_H

#include "gpuocc/Device/DerivationCheck.h"
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

/// \p Numbers, which are known of \p Known, beside those derived from
/// \p Relative, and what the derivation is worth in one line.
void writeDerivation(const DeviceModel &Known, const DeviceModel &Relative,
                     llvm::ArrayRef<DerivedNumber> Numbers,
                     llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_DEVICEVIEW_H
