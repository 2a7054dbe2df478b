//===- DeviceRegistry.cpp - Devices that are built in ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "EmbeddedFiles.h"
#include "JsonNode.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace gpuocc;
using namespace llvm;

ArrayRef<EmbeddedDevice> gpuocc::embeddedDevices() {
  return embeddedDeviceFiles();
}

static bool isPath(StringRef NameOrPath) {
  return NameOrPath.ends_with(".json") || NameOrPath.contains('/');
}

Expected<DeviceModel> gpuocc::loadDevice(StringRef NameOrPath) {
  if (isPath(NameOrPath)) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
        MemoryBuffer::getFile(NameOrPath, /*IsText=*/true);
    if (!Buffer)
      return createFileError(NameOrPath, Buffer.getError());
    return parseDeviceModel((*Buffer)->getBuffer(), NameOrPath);
  }
  SmallVector<StringRef> Names;
  for (const EmbeddedDevice &Device : embeddedDevices()) {
    if (Device.Name == NameOrPath)
      return parseDeviceModel(Device.Text, (Device.Name + ".json").str());
    Names.push_back(Device.Name);
  }
  return createStringError(
      inconvertibleErrorCode(),
      "unknown device '" + NameOrPath + "'" + didYouMean(NameOrPath, Names) +
          " (a database of your own is given by a path ending in .json)");
}

/// Numbers of the device \p Name that the model can use; what PTX instructions
/// expand to is for readers.
static size_t numModelNumbers(StringRef Name) {
  DeviceModel Device = cantFail(loadDevice(Name));
  Device.PtxInstructions.clear();
  return allNumbers(Device).size();
}

std::optional<StringRef> gpuocc::findDeviceForArchitecture(StringRef Arch) {
  Expected<const ArchLimits &> Limits = archLimits(Arch);
  if (!Limits) {
    consumeError(Limits.takeError());
    return std::nullopt;
  }
  SmallVector<StringRef> Candidates;
  for (const EmbeddedDevice &Device : embeddedDevices())
    if (Device.Architecture == Limits->Name)
      Candidates.push_back(Device.Name);
  if (Candidates.empty())
    return std::nullopt;
  // Reading a database takes milliseconds; most architectures have one.
  if (Candidates.size() == 1)
    return Candidates.front();
  return *llvm::max_element(Candidates, [](StringRef A, StringRef B) {
    return numModelNumbers(A) < numModelNumbers(B);
  });
}
