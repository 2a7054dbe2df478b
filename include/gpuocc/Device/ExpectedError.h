//===- ExpectedError.h - How far predictions on a device are ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_EXPECTEDERROR_H
#define GPUOCC_DEVICE_EXPECTEDERROR_H

#include "gpuocc/Device/DeviceModel.h"

namespace gpuocc {

/// How far predicted times of recorded kernels were on devices whose numbers
/// became known in one way.
struct ExpectedError {
  /// Median error of the time, as a fraction of the measured one.
  double Median = 0;
  /// Nine of ten times are off by no more than this factor.
  double TimesOff90 = 0;
};

/// The error on measured devices.
inline constexpr ExpectedError ExpectedWhenMeasured = {0.09, 1.47};

/// The error to expect on \p Device, by the leave-one-out table of
/// docs/device-database.md: measured, or derived from a measured device of the
/// same architecture. Nothing where no device known in such a way was compared
/// with hardware: derived from another architecture, published.
std::optional<ExpectedError> expectedError(const DeviceModel &Device);

/// "8 %, 1.47x", or "not known".
std::string expectedErrorText(const DeviceModel &Device);

/// Numbers of \p Device of \p Origin.
size_t numbersOfOrigin(const DeviceModel &Device, NumberOrigin Origin);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_EXPECTEDERROR_H
