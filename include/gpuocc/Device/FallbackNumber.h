//===- FallbackNumber.h - Numbers for devices that lack them ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_FALLBACKNUMBER_H
#define GPUOCC_DEVICE_FALLBACKNUMBER_H

#include "gpuocc/Device/Quantity.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// What is taken for a quantity that a device database lacks.
struct FallbackNumber {
  /// In the unit of Quantity.def.
  double Value;
  /// Where it was measured, or what it stands for.
  llvm::StringLiteral Origin;
};

/// Null for a quantity that predictions can do without.
const FallbackNumber *fallbackNumber(Quantity Q);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_FALLBACKNUMBER_H
