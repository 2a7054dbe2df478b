//===- Session.cpp - From facts and options to a report -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"
#include "driver/ChooseDevice.h"
#include "driver/ParameterNames.h"
#include "driver/ReportKeys.h"
#include "driver/SuppressInSource.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

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

/// Who is to blame where \p L cannot run: User, HostCode or Nobody.
static GivenBy blameFor(const Launch &L) {
  SmallVector<const LaunchOrigin *, 3> Sources = {&L.Block.Source,
                                                  &L.DynamicSharedBytes.Source};
  if (L.Grid)
    Sources.push_back(&L.Grid->Source);
  if (any_of(Sources, [](auto *Of) { return Of->isUsers(); }) ||
      (!L.Arguments.empty() && !L.Grid))
    return GivenBy::User;
  return any_of(Sources, [](auto *Of) { return Of->by() == GivenBy::HostCode; })
             ? GivenBy::HostCode
             : GivenBy::Nobody;
}

/// The place of \p L in host code; an invalid one where it has none.
static SourcePlace placeOfLaunch(ArrayRef<HostLaunch> HostLaunches,
                                 const Launch &L) {
  const LaunchOrigin &Source =
      L.Grid && L.Grid->Source.by() == GivenBy::HostCode ? L.Grid->Source
                                                         : L.Block.Source;
  for (const HostLaunch &Host : HostLaunches)
    if (LaunchOrigin::hostCode(sys::path::filename(Host.Place.File),
                               Host.Place.Line) == Source)
      return Host.Place;
  return {};
}

/// True when two launches of a kernel, of the same extents, come out the same:
/// arguments often differ where they change nothing.
static bool comeOutTheSame(const KernelReport &A, const KernelReport &B) {
  return A.Launched.Grid == B.Launched.Grid &&
         A.Launched.Block.Value == B.Launched.Block.Value &&
         A.Predicted == B.Predicted;
}

/// True when no other launch in \p Launches has the extents of \p L.
static bool isAloneIn(ArrayRef<Launch> Launches, const Launch &L) {
  return count_if(Launches, [&](const Launch &Other) {
           return Other.Grid == L.Grid && Other.Block.Value == L.Block.Value;
         }) == 1;
}

Expected<SessionResult> Session::assessAll(std::vector<KernelFacts> Kernels,
                                           ArrayRef<HostLaunch> HostLaunches) {
  SessionResult Result;
  Result.What.Tool = toolVersion();
  // What a user got wrong about one kernel leaves the others.
  auto Refuse = [&](StringRef Kernel, Error E) {
    std::string Why = toString(std::move(E));
    if (IsOneOfMany)
      Result.Notes.push_back(
          {Kernel.str(), std::move(Why), /*IsWarning=*/true});
    else
      Result.Refused.push_back(
          StringRef(Why).contains(Kernel)
              ? std::move(Why)
              : ("kernel '" + Kernel + "' is not analyzed: " + Why).str());
  };
  if (!IsOneOfSet)
    if (Error E = checkKernelsExist(Launches, Kernels)) {
      if (!IsOneOfMany)
        return std::move(E);
      Refuse("", std::move(E));
    }
  if (Kernels.empty())
    return Result;
  Expected<ChosenDevice> Chosen =
      chooseDevice(namedDevice(), Kernels.front().Architecture);
  if (!Chosen)
    return Chosen.takeError();
  Predictor Model(Chosen->Model, Used);
  AssessOptions Options;
  if (Chosen->Taken)
    Options.Beforehand.push_back(*Chosen->Taken);
  Options.MinimumGain = File.MinimumGain.value_or(Options.MinimumGain);
  Options.MinimumGainOfRule = File.MinimumGainOfRule;
  if (MinimumGain) {
    Options.MinimumGain = *MinimumGain;
    Options.MinimumGainOfRule.clear();
  }
  Options.Suppress = File.Suppress;
  Options.AdviseLaunches = Advise;
  const bool IsSuppressed =
      is_contained(Options.Suppress, ruleName(RuleId::CannotRun));
  // Machine code stands beside the view that its counts come from, or alone.
  StringSet<> WithCounts;
  for (const KernelFacts &Facts : Kernels)
    if (Facts.View != "sass")
      WithCounts.insert(Facts.Name);
  std::map<std::string, KernelFacts> MachineCode;
  std::vector<KernelFacts> Others;
  for (KernelFacts &Facts : Kernels) {
    if (Facts.View != "sass" || !WithCounts.contains(Facts.Name)) {
      Others.push_back(std::move(Facts));
      continue;
    }
    std::string Name = Facts.Name;
    MachineCode.try_emplace(std::move(Name), std::move(Facts));
  }
  Kernels = std::move(Others);
  SourceSuppressions Silenced(Buffers);
  std::optional<ReportKeys> Keys;
  if (Known)
    Keys.emplace(Model.device(), Used, Options);
  for (KernelFacts &Facts : Kernels) {
    nameParameters(Facts);
    Expected<ResolvedLaunches> Resolved =
        resolveLaunches(Facts, File, Launches, HostLaunches);
    if (!Resolved) {
      Refuse(Facts.Name, Resolved.takeError());
      continue;
    }
    for (const std::string &Note : Resolved->Notes)
      Facts.Gaps.push_back({NoIndex, Note});
    size_t First = Result.What.Kernels.size();
    for (const Launch &L : Resolved->Launches) {
      const GivenBy Blame = blameFor(L);
      std::string Source = L.Block.Source.text();
      auto Refused = [&](KernelReport R) {
        Silenced.apply(R);
        if (R.Findings.empty())
          return;
        std::string Why = R.Findings.front().text();
        if (Blame == GivenBy::HostCode)
          Why = Source + ": " + Why;
        Result.Notes.push_back(
            {Facts.Name, std::move(Why), /*IsWarning=*/true, true});
        Result.What.Refused.push_back(std::move(R));
      };
      // A block that nobody gave is no launch.
      if (Blame != GivenBy::Nobody && !IsSuppressed) {
        if (std::optional<KernelReport> R = refuse(
                Facts, L, Chosen->Model, placeOfLaunch(HostLaunches, L))) {
          Refused(std::move(*R));
          continue;
        }
      }
      auto Code = MachineCode.find(Facts.Name);
      std::string Key;
      if (Keys) {
        Key =
            Keys->of(Facts, Code == MachineCode.end() ? nullptr : &Code->second,
                     L, Silenced.stateFor(Facts));
        // Those of equal extents are compared.
        if (Known->Keys.count(Key) && isAloneIn(Resolved->Launches, L)) {
          Known->All.push_back({std::move(Key), /*IsLeftOut=*/true});
          continue;
        }
      }
      Expected<KernelReport> R =
          Code == MachineCode.end()
              ? assess(Facts, L, Model, Options)
              : assessMachineCode(Facts, Code->second, L, Model, Options);
      if (R) {
        if (std::optional<KernelReport> Hangs = refuse(*R)) {
          Refused(std::move(*Hangs));
          continue;
        }
        Silenced.apply(*R);
        auto Others = drop_begin(Result.What.Kernels, First);
        if (none_of(Others, [&](const KernelReport &Other) {
              return comeOutTheSame(*R, Other);
            })) {
          Result.What.Kernels.push_back(std::move(*R));
          if (Known)
            Known->All.push_back({std::move(Key), /*IsLeftOut=*/false});
        }
        continue;
      }
      if (Blame == GivenBy::User) {
        Refuse(Facts.Name, R.takeError());
        continue;
      }
      std::string Why = toString(R.takeError());
      if (Blame == GivenBy::HostCode)
        Result.Notes.push_back({Facts.Name, Source + ": " + Why, true});
      else
        Result.Notes.push_back({Facts.Name, std::move(Why), false});
    }
  }
  if (Result.What.Kernels.empty() && !Result.Refused.empty())
    return createStringError(Result.Refused.front());
  for (const std::string &Note : Silenced.notes())
    Result.Notes.push_back({"", Note, /*IsWarning=*/true});
  return Result;
}
