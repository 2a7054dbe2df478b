//===- ManagedTime.cpp - Waiting for managed memory -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/ManagedTime.h"
#include "gpuocc/Device/DeviceModel.h"

using namespace gpuocc;

Known<double> gpuocc::managedNs(uint64_t FromHost, uint64_t Fresh,
                                const DeviceModel &Device) {
  if (FromHost == 0 && Fresh == 0)
    return 0.0;
  const Known<double> First = Device.get(Quantity::ManagedTouch),
                      Rate = Device.get(Quantity::ManagedToDevice),
                      FreshRate = Device.get(Quantity::ManagedFresh);
  for (const Known<double> *Needed : {&First, &Rate, &FreshRate})
    if (!*Needed)
      return *Needed;
  return *First + double(FromHost) / *Rate + double(Fresh) / *FreshRate;
}
