//===- LockedBinaries.cpp - Binaries as a lock file -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LockedKernels.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Lock/StableName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleNames.h"
#include "sources/BuiltKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Devices by architecture, for all threads: null where there is none.
class DevicesOfArchitectures {
public:
  const DeviceModel *get(StringRef Architecture) {
    std::lock_guard<std::mutex> Lock(Mutex);
    auto [Slot, IsNew] = Devices.try_emplace(Architecture);
    const StringRef Name = archLimitsOrNone(Architecture).DefaultDevice;
    if (IsNew && !Name.empty()) {
      if (Expected<DeviceModel> Device = loadDevice(Name))
        Slot->second = std::make_unique<DeviceModel>(std::move(*Device));
      else
        consumeError(Device.takeError());
    }
    return Slot->second.get();
  }

private:
  std::mutex Mutex;
  StringMap<std::unique_ptr<DeviceModel>> Devices;
};

} // namespace

static void addLaunch(const KernelFacts &Facts, const Launch &L,
                      const DeviceModel &Device, const ArchLimits &Limits,
                      LockedKernel &Out) {
  const BlockResources Block = blockResources(Facts, L);
  if (L.Block.Source.by() == GivenBy::Nobody ||
      L.Block.Source.by() == GivenBy::LaunchBounds) {
    Out.Blocks =
        LockedBlocks{occupancy(Limits, Block).BlocksPerSm, Block.Threads};
    return;
  }
  LockedLaunch Locked;
  Locked.Text = (L.Grid ? formatDim(L.Grid->Value) : std::string("?")) + " x " +
                formatDim(L.Block.Value) + " + " +
                std::to_string(L.DynamicSharedBytes.Value) + " B";
  Locked.Device = Device.Name;
  Locked.CannotRun = refuse(Facts, L, Device, {}).has_value();
  if (!Locked.CannotRun)
    Locked.BlocksPerSm = occupancy(Limits, Block).BlocksPerSm;
  Out.Launches.push_back(std::move(Locked));
}

static Expected<LockedKernel> lockedKernel(const BuiltKernel &K,
                                           const Config &File,
                                           const BinaryOptions &Options,
                                           DevicesOfArchitectures &Devices) {
  LockedKernel Out;
  Out.Name = stableName(K.Name);
  Out.Architecture = K.Architecture;
  Out.Registers = K.RegistersPerThread;
  if (K.Local)
    Out.SpillBytes = K.Local->StoredBytes + K.Local->LoadedBytes;
  Out.StackBytes = K.StackBytes;
  Out.SharedBytes = K.StaticSharedBytes;
  const ArchLimits &Limits = archLimitsOrNone(K.Architecture);
  const DeviceModel *Device = Devices.get(K.Architecture);
  if (!Limits.missingForOccupancy().empty() || !Device)
    return Out;
  const KernelFacts Facts = factsOf(K);
  Expected<ResolvedLaunches> Launches =
      resolveLaunches(Facts, File, Options.Launches);
  if (!Launches)
    return Launches.takeError();
  for (const Launch &L : Launches->Launches)
    addLaunch(Facts, L, *Device, Limits, Out);
  return Out;
}

/// Leaves in \p Launches what decides whether a device runs them. Arguments
/// have names and positions among parameters, which are not read.
static void keepShapes(std::vector<LaunchSpec> &Launches) {
  for (LaunchSpec &L : Launches) {
    LaunchSpec Shape;
    Shape.Kernel = std::move(L.Kernel);
    Shape.Grid = L.Grid;
    Shape.Block = L.Block;
    Shape.Cluster = L.Cluster;
    Shape.DynamicSharedBytes = L.DynamicSharedBytes;
    Shape.CarveoutPercent = L.CarveoutPercent;
    Shape.Source = std::move(L.Source);
    L = std::move(Shape);
  }
}

static Error inFile(StringRef File, Error E) {
  return createStringError("'" + File + "': " + toString(std::move(E)));
}

static Expected<std::vector<LockedKernel>>
lockedKernels(StringRef File, const BinaryOptions &Options,
              DevicesOfArchitectures &Devices) {
  auto Bytes = MemoryBuffer::getFile(File, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!Bytes)
    return createStringError("cannot read '" + File +
                             "': " + Bytes.getError().message());
  Expected<std::vector<BuiltKernel>> Built =
      builtKernels((*Bytes)->getBuffer());
  if (!Built)
    return inFile(File, Built.takeError());
  const std::string Path =
      Options.ConfigPath.empty() ? findConfig(File) : Options.ConfigPath;
  Config Settings;
  if (!Path.empty())
    if (Error E = loadConfig(Path, ruleNames()).moveInto(Settings))
      return std::move(E);
  keepShapes(Settings.Launches);
  std::vector<LockedKernel> Kernels;
  for (const BuiltKernel &K : *Built) {
    Expected<LockedKernel> Locked = lockedKernel(K, Settings, Options, Devices);
    if (!Locked)
      return inFile(File, Locked.takeError());
    Kernels.push_back(std::move(*Locked));
  }
  return Kernels;
}

Error gpuocc::addBinaries(ArrayRef<std::string> Files,
                          const BinaryOptions &Given, LockFile &Lock) {
  BinaryOptions Options = Given;
  keepShapes(Options.Launches);
  // Templates are in every object that uses them: kernels that take the same
  // are one when the lock is normalized.
  std::vector<std::optional<Expected<std::vector<LockedKernel>>>> Results(
      Files.size());
  DevicesOfArchitectures Devices;
  {
    DefaultThreadPool Pool(hardware_concurrency(Options.NumJobs));
    for (size_t I = 0; I != Files.size(); ++I)
      Pool.async([&, I] {
        Results[I].emplace(lockedKernels(Files[I], Options, Devices));
      });
    Pool.wait();
  }
  Error First = Error::success();
  size_t NumKernels = 0;
  for (auto &Result : Results) {
    if (!*Result) {
      if (First)
        consumeError(Result->takeError());
      else
        First = Result->takeError();
      continue;
    }
    NumKernels += (*Result)->size();
    move(**Result, std::back_inserter(Lock.Kernels));
  }
  if (First)
    return First;
  if (NumKernels == 0 && !Files.empty())
    return createStringError(
        "'" + Files.front() + "'" +
        (Files.size() > 1 ? " and the others hold" : " holds") +
        " no kernel in machine code of a GPU");
  return Error::success();
}
