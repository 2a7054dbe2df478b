//===- Number.h - A number of a device, with its provenance ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_NUMBER_H
#define GPUOCC_DEVICE_NUMBER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpuocc {

/// How a number of a device became known.
enum class NumberOrigin : uint8_t {
  Measured, ///< by a calibration kernel, on the device
  Vendor,   ///< stated by the maker: driver, header, data sheet
  Paper,    ///< published by others
  Derived,  ///< computed from numbers named in the source
  Assumed,  ///< taken over from elsewhere; the source says from where and why
};

/// The word for \p Origin in databases, such as "measured".
llvm::StringRef numberOriginKey(NumberOrigin Origin);

/// The origin named \p Key, or nothing.
std::optional<NumberOrigin> parseNumberOrigin(llvm::StringRef Key);

/// The words for all origins, in the order of the enumeration.
llvm::ArrayRef<llvm::StringLiteral> numberOriginKeys();

/// A number of a device with its unit and provenance. Date, Samples, Spread
/// and Stable say something only when Origin is Measured.
struct Number {
  double Value = 0;
  /// One of the units of Quantity.def, such as "cycle".
  std::string Unit;
  NumberOrigin Origin = NumberOrigin::Assumed;
  /// Which calibration kernel, or which document and table.
  std::string Source;
  /// Day of the measurement, "2026-11-21".
  std::string Date;
  /// Repeats behind the value.
  unsigned Samples = 0;
  /// Half width of the 95 % confidence interval, relative to the value.
  double Spread = 0;
  /// False when the repeats did not settle.
  bool Stable = true;

  bool operator==(const Number &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_DEVICE_NUMBER_H
