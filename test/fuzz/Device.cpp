//===- Device.cpp - Device databases --------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Device/DeviceModel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<DeviceModel> Device =
      parseDeviceModel(text(Data, Size), "device.json");
  if (!isRead(Device))
    return 0;
  (void)lintDevice(*Device);
  const std::string Text = formatv("{0}", toJSON(*Device));
  Expected<DeviceModel> Again = parseDeviceModel(Text, "again.json");
  require(isRead(Again) && *Again == *Device, "devices survive JSON");
  return 0;
}
