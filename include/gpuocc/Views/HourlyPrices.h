//===- HourlyPrices.h - What an hour of a device costs ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_HOURLYPRICES_H
#define GPUOCC_VIEWS_HOURLYPRICES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Prices of an hour by the name of the device in its database. The currency is
/// the user's; no price is built in.
using HourlyPrices = llvm::StringMap<double>;

/// Launches that a price is stated for: one costs too little to print.
constexpr double LaunchesPerPrice = 1e6;

/// What LaunchesPerPrice launches of \p Ns nanoseconds each cost in a row, at
/// \p PricePerHour.
constexpr double priceOfLaunches(double Ns, double PricePerHour) {
  constexpr double NsPerHour = 3.6e12;
  return Ns * LaunchesPerPrice / NsPerHour * PricePerHour;
}

/// Reads \p Path: a JSON object of devices, named as --device names them, and
/// prices. Fails where the file cannot be read, where a device is unknown or
/// named twice, and where a price is not a positive number.
llvm::Expected<HourlyPrices> readHourlyPrices(llvm::StringRef Path);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_HOURLYPRICES_H
