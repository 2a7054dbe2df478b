//===- FlatDevice.cpp - The numbers of a device by index ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/FlatDevice.h"

#include "gpuocc/Support/InstClasses.h"
using namespace gpuocc;

static std::optional<double> valueOf(const Number *N) {
  return N ? std::optional<double>(N->Value) : std::nullopt;
}

FlatDevice::FlatDevice(const DeviceModel &Model)
    : Model(Model), Limits(archLimitsOrNone(Model.Architecture)) {
  for (unsigned Q = 0; Q != NumQuantities; ++Q)
    Quantities[Q] = valueOf(Model.find(Quantity(Q)));
  for (unsigned Class = 0; Class != NumInstClasses; ++Class) {
    for (unsigned Field = 0; Field != NumTimingFields; ++Field)
      Timings[Class][Field] =
          valueOf(Model.find(InstClass(Class), TimingField(Field)));
    Pipes[Class] = Model.pipe(InstClass(Class));
  }
}
