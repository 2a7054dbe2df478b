//===- Session.cpp - From facts and options to a report -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"
#include "driver/AssessRun.h"
#include "driver/ChooseDevice.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::toolVersion() { return "gpu-occupancy " GPUOCC_VERSION; }

/// Fails where \p C, which nobody named, names a file outside its folder: it
/// may be part of a repository that its reader does not trust.
static Error checkStaysInFolder(const Config &C) {
  auto Check = [&](StringRef What, StringRef Path) -> Error {
    if (sys::fs::is_regular_file(Path) &&
        isWithin(Path, sys::path::parent_path(C.File)))
      return Error::success();
    return createStringError(
        "'" + C.File + "': " + What + " '" + Path +
        "' is no file below the folder of the configuration; name the "
        "configuration with --config to have it read all the same");
  };
  const StringRef Device = C.Device ? StringRef(*C.Device) : "";
  if (Device.ends_with(".json") || Device.contains('/'))
    if (Error E = Check("device", Device))
      return E;
  for (const LaunchSpec &Spec : C.Launches)
    for (const auto &[Array, Path] : Spec.Memory)
      if (Error E = Check("memory", Path))
        return E;
  return Error::success();
}

Expected<Session> Session::create(const SessionOptions &Options,
                                  StringRef SourceFile) {
  Session S;
  S.DeviceOption = Options.Device;
  S.MinimumGain = Options.MinimumGain;
  S.Advise = Options.Advise;
  S.SweepSizes = Options.SweepSizes;
  S.QuestionSteps = Options.QuestionSteps;
  S.IsOneOfMany = Options.IsOneOfMany;
  S.IsOneOfSet = Options.IsOneOfSet;
  S.Buffers = Options.Buffers;
  S.Used = Options.Used;
  S.Known = Options.Known;
  for (const std::string &Text : Options.Launches) {
    Expected<LaunchSpec> Spec = parseLaunchSpec(Text);
    if (!Spec)
      return Spec.takeError();
    S.Launches.push_back(std::move(*Spec));
  }
  std::string Path = Options.ConfigPath;
  const bool IsFound = Path.empty();
  if (IsFound)
    Path = findConfig(SourceFile);
  if (Path.empty())
    return std::move(S);
  Expected<Config> File = loadConfig(Path, ruleNames());
  if (!File)
    return File.takeError();
  if (IsFound)
    if (Error E = checkStaysInFolder(*File))
      return std::move(E);
  S.File = std::move(*File);
  return std::move(S);
}

StringRef Session::namedDevice() const {
  if (!DeviceOption.empty() || !File.Device)
    return DeviceOption;
  return *File.Device;
}

Expected<std::string> Session::architecture() const {
  if (namedDevice().empty())
    return std::string();
  Expected<DeviceModel> Device = loadDevice(namedDevice());
  if (!Device)
    return Device.takeError();
  return codeArchitecture(Device->Architecture);
}

AssessOptions Session::assessOptions(const ChosenDevice &Chosen) const {
  AssessOptions Options;
  if (Chosen.Taken)
    Options.Beforehand.push_back(*Chosen.Taken);
  Options.MinimumGain = File.MinimumGain.value_or(Options.MinimumGain);
  Options.MinimumGainOfRule = File.MinimumGainOfRule;
  if (MinimumGain) {
    Options.MinimumGain = *MinimumGain;
    Options.MinimumGainOfRule.clear();
  }
  Options.Suppress = File.Suppress;
  Options.AdviseLaunches = Advise;
  Options.SweepSizes = SweepSizes;
  if (QuestionSteps)
    Options.Questions =
        std::make_shared<QuestionBudget>(QuestionBudget{*QuestionSteps});
  return Options;
}

Expected<SessionResult> Session::assessAll(std::vector<KernelFacts> Kernels,
                                           ArrayRef<HostLaunch> HostLaunches) {
  SessionResult Result;
  Result.What.Tool = toolVersion();
  if (!IsOneOfSet)
    if (Error E = checkKernelsExist(Launches, Kernels)) {
      if (!IsOneOfMany)
        return std::move(E);
      refuseKernel(Result, IsOneOfMany, "", std::move(E));
    }
  if (Kernels.empty())
    return Result;
  Expected<ChosenDevice> Chosen =
      chooseDevice(namedDevice(), Kernels.front().Architecture);
  if (!Chosen)
    return Chosen.takeError();
  Predictor Model(Chosen->Model, Used);
  const AssessOptions Options = assessOptions(*Chosen);
  const AssessInputs In{File, Launches, HostLaunches, Buffers,
                        Used, Known,    IsOneOfMany};
  AssessRun(In, Model, Options, Result).run(std::move(Kernels));
  if (Result.What.Kernels.empty() && !Result.Refused.empty())
    return createStringError(Result.Refused.front());
  return Result;
}
