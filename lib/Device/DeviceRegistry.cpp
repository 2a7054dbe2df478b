//===- DeviceRegistry.cpp - Devices that are built in ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "ClassesOfPtx.h"
#include "EmbeddedFiles.h"
#include "PackDevice.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeriveDevice.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

ArrayRef<EmbeddedDevice> gpuocc::embeddedDevices() {
  return embeddedDeviceFiles();
}

bool gpuocc::isDevicePath(StringRef NameOrPath) {
  return NameOrPath.ends_with(".json") || NameOrPath.contains('/');
}

/// \p Name without what people write in one way or another: case, spaces,
/// hyphens, the words of the maker and of its brands.
static std::string plainName(StringRef Name) {
  std::string Plain = Name.lower();
  for (StringRef Word : {"nvidia", "geforce", "tesla", "quadro"})
    if (size_t At = Plain.find(Word.str()); At != std::string::npos)
      Plain.erase(At, Word.size());
  llvm::erase_if(Plain, [](char C) { return !isAlnum(C); });
  return Plain;
}

static bool isCalled(const EmbeddedDevice &Device, StringRef Plain) {
  SmallVector<StringRef> Names = {Device.Name};
  Device.Names.split(Names, '\n');
  return any_of(Names, [&](StringRef N) { return plainName(N) == Plain; });
}

static const EmbeddedDevice *findEmbedded(StringRef Name) {
  for (const EmbeddedDevice &Device : embeddedDevices())
    if (Device.Name == Name)
      return &Device;
  std::string Plain = plainName(Name);
  if (Plain.empty())
    return nullptr;
  const auto *It = find_if(embeddedDevices(), [&](const EmbeddedDevice &D) {
    return isCalled(D, Plain);
  });
  return It == embeddedDevices().end() ? nullptr : It;
}

/// The end of an error message: the name that is nearest to \p Name as people
/// spell it, or all of them.
static std::string knownDevices(StringRef Name) {
  std::vector<std::string> Plain;
  SmallVector<StringRef> Names;
  for (const EmbeddedDevice &Device : embeddedDevices()) {
    Plain.push_back(plainName(Device.Name));
    Names.push_back(Device.Name);
  }
  SmallVector<StringRef> Views(Plain.begin(), Plain.end());
  const std::string Said = plainName(Name);
  StringRef Nearest = nearestKey(Said, Views);
  bool IsNear =
      StringRef(didYouMean(Said, Nearest)).starts_with("; did you mean");
  // "A6000" is a part of "rtxa6000", which is far from it in letters.
  constexpr size_t FewLetters = 3;
  auto Whole = find_if(Views, [&](StringRef V) { return V.contains(Said); });
  if (!IsNear && Said.size() >= FewLetters && Whole != Views.end()) {
    Nearest = *Whole;
    IsNear = true;
  }
  StringRef Spelt = Names[find(Views, Nearest) - Views.begin()];
  return didYouMean(IsNear ? Spelt : Name, Names);
}

static Error unknownDevice(StringRef Name) {
  return createStringError(
      inconvertibleErrorCode(),
      "unknown device '" + Name + "'" + knownDevices(Name) +
          " (a database of your own is given by a path ending in .json)");
}

Expected<DeviceModel> gpuocc::loadDeviceFile(StringRef NameOrPath) {
  if (isDevicePath(NameOrPath)) {
    Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(NameOrPath);
    if (!Buffer)
      return createFileError(NameOrPath, Buffer.takeError());
    return parseDeviceModel((*Buffer)->getBuffer(), NameOrPath);
  }
  const EmbeddedDevice *Device = findEmbedded(NameOrPath);
  if (!Device)
    return unknownDevice(NameOrPath);
  return unpackDevice(packedDevices()[Device - embeddedDevices().begin()]);
}

/// The relatives of relatives that a file may name.
static constexpr unsigned MaxRelatives = 4;

static Expected<DeviceModel> loadDerived(StringRef NameOrPath, unsigned Depth) {
  Expected<DeviceModel> Own = loadDeviceFile(NameOrPath);
  if (!Own)
    return Own;
  addLatenciesOfPtx(*Own);
  if (Own->Relative.empty())
    return Own;
  if (Depth == MaxRelatives)
    return createStringError("device '" + Own->Name + "' has more than " +
                             Twine(MaxRelatives) + " relatives in a row");
  // A file that is named by the user may come from somebody else.
  if (isDevicePath(NameOrPath) && isDevicePath(Own->Relative) &&
      !isWithin(Own->Relative, sys::path::parent_path(NameOrPath)))
    return createStringError("device file '" + NameOrPath +
                             "': its relative '" + Own->Relative +
                             "' lies outside the folder of the file");
  Expected<DeviceModel> Relative = loadDerived(Own->Relative, Depth + 1);
  if (!Relative)
    return Relative.takeError();
  return deriveDevice(std::move(*Own), *Relative);
}

Expected<DeviceModel> gpuocc::loadDevice(StringRef NameOrPath) {
  return loadDerived(NameOrPath, 0);
}

std::optional<StringRef> gpuocc::findDeviceForArchitecture(StringRef Arch) {
  Expected<const ArchLimits &> Limits = archLimits(Arch);
  if (!Limits) {
    consumeError(Limits.takeError());
    return std::nullopt;
  }
  if (Limits->DefaultDevice.empty())
    return std::nullopt;
  return Limits->DefaultDevice;
}

std::optional<StringRef> gpuocc::nearestDevice(StringRef Arch) {
  unsigned Number = architectureNumber(Arch);
  if (!Number)
    return std::nullopt;
  // Compute capability 8.8 is nearer to 8.6 than to 9.0.
  auto Distance = [&](const ArchLimits &Limits) {
    unsigned Other = architectureNumber(Limits.Name);
    unsigned Far = Number / 10 == Other / 10 ? 0 : 1000;
    return Far + (Number > Other ? Number - Other : Other - Number);
  };
  const ArchLimits *Nearest = nullptr;
  for (const ArchLimits &Limits : allArchLimits())
    if (!Limits.DefaultDevice.empty() &&
        (!Nearest || Distance(Limits) < Distance(*Nearest)))
      Nearest = &Limits;
  return StringRef(Nearest->DefaultDevice);
}

bool gpuocc::isMeasured(const DeviceModel &Device) {
  return any_of(Device.Instructions, [](const auto &Entry) {
    const std::optional<Number> &N = Entry.second.LatencyCycles;
    return N && N->Origin == NumberOrigin::Measured;
  });
}

bool gpuocc::isDerived(const DeviceModel &Device) {
  return !Device.Relative.empty() && !isMeasured(Device);
}

std::string gpuocc::deviceBasis(const DeviceModel &Device) {
  if (isDerived(Device))
    return "derived from " + Device.Relative;
  return isMeasured(Device) ? "measured" : "published";
}
