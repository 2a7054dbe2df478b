//===- DeviceImages.cpp - What a binary has for which GPU -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceImages.h"
#include "BuiltKernels.h"
#include "FatBinary.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

static unsigned majorOf(StringRef Architecture) {
  return architectureNumber(Architecture) / 10;
}

bool gpuocc::loadsMachineCode(StringRef Device, StringRef Architecture) {
  return majorOf(Device) == majorOf(Architecture) &&
         architectureNumber(Architecture) <= architectureNumber(Device);
}

bool gpuocc::loadsPtx(StringRef Device, StringRef Target) {
  const unsigned Has = architectureNumber(Device),
                 Needs = architectureNumber(Target);
  if (Target.ends_with("a"))
    return Has == Needs;
  return Needs <= Has &&
         (!Target.ends_with("f") || majorOf(Device) == majorOf(Target));
}

/// The names behind ".entry" in \p Ptx.
static std::vector<StringRef> entriesOf(StringRef Ptx) {
  constexpr StringLiteral Entry = ".entry";
  std::vector<StringRef> Names;
  for (size_t At = Ptx.find(Entry); At != StringRef::npos;
       At = Ptx.find(Entry, At)) {
    At += Entry.size();
    StringRef Name = Ptx.substr(At).ltrim();
    Names.push_back(Name.take_until(
        [](char C) { return isSpace(C) || C == '(' || C == '{' || C == '.'; }));
  }
  return Names;
}

Expected<DeviceImages> DeviceImages::of(StringRef Bytes) {
  DeviceImages Out;
  Expected<std::vector<BuiltKernel>> Built = builtKernels(Bytes);
  if (!Built)
    return Built.takeError();
  for (const BuiltKernel &K : *Built)
    Out.OfKernels[K.Name].Cubins.insert(K.Architecture);
  Expected<std::vector<std::string>> Texts = ptxInFatBinaries(Bytes);
  if (!Texts)
    return Texts.takeError();
  for (StringRef Ptx : *Texts)
    for (StringRef Name : entriesOf(Ptx))
      Out.OfKernels[Name].Ptx.insert(targetOfPtx(Ptx).str());
  return Out;
}

std::string DeviceImages::missing(StringRef Kernel, StringRef Device) const {
  auto Its = OfKernels.find(Kernel);
  if (Its == OfKernels.end())
    return "";
  const Images &Has = Its->second;
  // A head that says no architecture may be of any.
  auto Loads = [&](StringRef Architecture) {
    return Architecture.empty() || loadsMachineCode(Device, Architecture);
  };
  if (any_of(Has.Cubins, Loads) || any_of(Has.Ptx, [&](StringRef Target) {
        return loadsPtx(Device, Target);
      }))
    return "";
  std::vector<std::string> All(Has.Cubins.begin(), Has.Cubins.end());
  for (const std::string &Target : Has.Ptx)
    All.push_back("PTX of " + Target);
  return "the binary has it for " + join(All, ", ") + " only, which " +
         Device.str() + " does not load";
}
