//===- ExpectedError.cpp - How far predictions on a device are ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/ExpectedError.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

/// 150 launches of public kernels on an H100 with its data sheet and the
/// numbers of an H200 (test/golden/h100-kernels/README.md, which also has the
/// errors of both as measured, of which the larger one counts).
static constexpr ExpectedError DerivedWithin = {0.13, 1.56};

std::optional<ExpectedError> gpuocc::expectedError(const DeviceModel &Device) {
  if (isMeasured(Device))
    return ExpectedWhenMeasured;
  if (!isDerived(Device))
    return std::nullopt;
  Expected<DeviceModel> Relative = loadDeviceFile(Device.Relative);
  if (!Relative) {
    consumeError(Relative.takeError());
    return std::nullopt;
  }
  if (isMeasured(*Relative) && Relative->Architecture == Device.Architecture)
    return DerivedWithin;
  return std::nullopt;
}

std::string gpuocc::expectedErrorText(const DeviceModel &Device) {
  std::optional<ExpectedError> E = expectedError(Device);
  if (!E)
    return "not known";
  return formatv("{0:f0} %, {1:f2}x", 100 * E->Median, E->TimesOff90);
}

size_t gpuocc::numbersOfOrigin(const DeviceModel &Device, NumberOrigin Origin) {
  return count_if(allNumbers(Device), [Origin](const PlacedNumber &P) {
    return P.N->Origin == Origin;
  });
}
