//===- ChooseDevice.cpp - The device that code is assessed on -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ChooseDevice.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/Architecture.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Numbers without which nothing can be predicted.
static Error checkMeasured(const DeviceModel &Device) {
  for (Quantity Q : {Quantity::SmCount, Quantity::SmClockMhz})
    if (Known<double> Value = Device.get(Q); !Value)
      return createStringError("device '" + Device.Name +
                               "' cannot be used: " + Value.reason());
  if (Device.Instructions.empty())
    return createStringError("device '" + Device.Name +
                             "' cannot be used: it has no measurements of "
                             "instructions");
  return Error::success();
}

static Expected<ChosenDevice> loadUsable(StringRef NameOrPath) {
  Expected<DeviceModel> Device = loadDevice(NameOrPath);
  if (!Device)
    return Device.takeError();
  if (Error E = checkMeasured(*Device))
    return std::move(E);
  return ChosenDevice{std::move(*Device), std::nullopt};
}

/// The oldest architecture that clang 22 compiles CUDA for with any toolkit
/// from 12 on (clang/lib/Basic/Cuda.cpp: sm_50 to sm_62 have no last version
/// before 12.9, sm_35 and sm_37 end with 11.8).
static constexpr StringLiteral OldestOfCompilers = "sm_50";

std::string gpuocc::codeArchitecture(StringRef Architecture) {
  const unsigned Number = architectureNumber(Architecture);
  return Number != 0 && Number < architectureNumber(OldestOfCompilers)
             ? OldestOfCompilers.str()
             : Architecture.str();
}

std::string gpuocc::builtArchitecture(StringRef Architecture,
                                      ArrayRef<std::string> Built) {
  const std::string Code = codeArchitecture(Architecture);
  const unsigned Number = architectureNumber(Code);
  const auto *Found = find_if(reverse(Built), [&](StringRef Arch) {
                        return architectureNumber(Arch) == Number;
                      }).base();
  return Found == Built.begin() ? Code : *std::prev(Found);
}

static bool isOfArchitecture(const DeviceModel &Device, StringRef Arch) {
  return architectureNumber(Device.Architecture) == architectureNumber(Arch);
}

/// The nearest device, as if it were of the architecture \p Limits.
static Expected<ChosenDevice> loadNearest(const ArchLimits &Limits) {
  std::optional<StringRef> Name = nearestDevice(Limits.Name);
  if (!Name)
    return createStringError("no built-in device is near " + Limits.Name);
  Expected<ChosenDevice> Chosen = loadUsable(*Name);
  if (!Chosen)
    return Chosen;
  Chosen->Taken = {"device for " + Limits.Name,
                   Chosen->Model.Name + " (" + Chosen->Model.Architecture +
                       "), the nearest built-in one, with the limits of " +
                       Limits.Name,
                   "name a device with --device or 'device:'", NoIndex};
  Chosen->Model.Architecture = Limits.Name;
  return Chosen;
}

Expected<ChosenDevice> gpuocc::chooseDevice(StringRef NameOrPath,
                                            StringRef Architecture) {
  if (Architecture.empty())
    return createStringError("the code does not say which GPU it is compiled "
                             "for: its kernels have no target-cpu, such as "
                             "\"sm_90\"");
  std::optional<Assumption> Other;
  if (!NameOrPath.empty()) {
    Expected<ChosenDevice> Named = loadUsable(NameOrPath);
    if (!Named || isOfArchitecture(Named->Model, Architecture))
      return Named;
    const std::string &Own = Named->Model.Architecture;
    if (codeArchitecture(Own) == Architecture) {
      Named->Taken = {"code for " + Own,
                      Architecture.str() + ", the nearest to " + Own +
                          " that compilers have; limits and timing are those "
                          "of " +
                          Named->Model.Name,
                      "", NoIndex};
      return Named;
    }
    Other = {"device for " + Architecture.str(), "",
             "device '" + Named->Model.Name + "' is " +
                 Named->Model.Architecture + ", but the code is compiled for " +
                 Architecture.str(),
             NoIndex};
  }
  Expected<const ArchLimits &> Limits = archLimits(Architecture);
  if (!Limits)
    return Limits.takeError();
  std::optional<StringRef> Found = findDeviceForArchitecture(Architecture);
  Expected<ChosenDevice> Chosen =
      Found ? loadUsable(*Found) : loadNearest(*Limits);
  if (Chosen && Other) {
    Other->Taken = Chosen->Taken ? Chosen->Taken->Taken : Chosen->Model.Name;
    Chosen->Taken = std::move(Other);
  }
  return Chosen;
}
