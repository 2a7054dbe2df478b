//===- NamedFiles.cpp - Files that options and configurations name --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedFiles.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

std::vector<std::string> gpuocc::filesOfConfig(StringRef Path) {
  if (Path.empty())
    return {};
  std::vector<std::string> Files = {Path.str()};
  Expected<Config> File = loadConfig(Path, ruleNames());
  if (!File) {
    // Whoever reads it for the analysis says why.
    consumeError(File.takeError());
    return Files;
  }
  if (File->Device && isDevicePath(*File->Device))
    Files.push_back(*File->Device);
  for (const LaunchSpec &Launch : File->Launches)
    for (const auto &[Name, Array] : Launch.Memory)
      Files.push_back(Array);
  return Files;
}

std::vector<std::string> gpuocc::namedFiles(const AssessFileOptions &Options,
                                            StringRef Source) {
  const SessionOptions &Session = Options.Session;
  std::vector<std::string> Files = filesOfConfig(
      Session.ConfigPath.empty() ? findConfig(Source) : Session.ConfigPath);
  std::vector<std::string> Devices = Options.Devices;
  Devices.push_back(Session.Device);
  copy_if(Devices, std::back_inserter(Files), isDevicePath);
  if (!Options.Source.RegistersLog.empty())
    Files.push_back(Options.Source.RegistersLog);
  return Files;
}
