//===- HourlyPrices.cpp - What an hour of a device costs ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/HourlyPrices.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Support/ReadInput.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

Expected<HourlyPrices> gpuocc::readHourlyPrices(StringRef Path) {
  Expected<json::Value> File = readJSONFile(Path);
  if (!File)
    return File.takeError();
  const std::string Quoted = "'" + printable(Path) + "': ";
  const json::Object *Rows = File->getAsObject();
  if (!Rows)
    return createStringError(Quoted + "expected an object of devices and "
                                      "prices of an hour, such as "
                                      "{\"h200\": 3.5}");
  HourlyPrices Prices;
  for (const auto &[Key, Value] : *Rows) {
    Expected<DeviceModel> Device = loadDeviceFile(Key);
    if (!Device)
      return createStringError(Quoted + toString(Device.takeError()));
    std::optional<double> Price = Value.getAsNumber();
    if (!Price || !std::isfinite(*Price) || *Price <= 0)
      return createStringError(Quoted + "the price of '" +
                               printable(StringRef(Key)) +
                               "' is not a number above 0");
    if (!Prices.try_emplace(Device->Name, *Price).second)
      return createStringError(Quoted + "two prices of " + Device->Name);
  }
  return Prices;
}
