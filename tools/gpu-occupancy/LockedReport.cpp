//===- LockedReport.cpp - A report as a lock file -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LockedKernels.h"
#include "gpuocc/Lock/StableName.h"
#include "gpuocc/Report/CompareReports.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// "64 x 256 + 0 B": grid, block and dynamic shared memory.
static std::string launchText(const Launch &L) {
  return (L.Grid ? formatDim(L.Grid->Value) : std::string("?")) + " x " +
         formatDim(L.Block.Value) + " + " +
         std::to_string(L.DynamicSharedBytes.Value) + " B";
}

static bool dataDecides(const KernelReport &K) {
  return any_of(K.Profile.Accesses,
                [](const AccessProfile &A) {
                  return A.Exact == Exactness::DataDependent;
                }) ||
         any_of(K.Profile.Branches, [](const BranchProfile &B) {
           return B.Class == BranchClass::DataDependent;
         });
}

static LockedLaunch lockedLaunch(const KernelReport &K) {
  LockedLaunch L;
  L.Text = launchText(K.Launched);
  L.Device = K.Device;
  L.BlocksPerSm = K.Predicted.BlocksPerSm;
  if (K.Predicted.Time)
    L.TimeNs = K.Predicted.Time->Ns;
  L.Limiter = resourceKey(K.Predicted.Diagnosed.Unit).str();
  // Bounds that no number of warps reaches need all there are, and more.
  if (std::isfinite(K.Predicted.Needed.P90)) {
    L.NeededWarps = uint64_t(std::ceil(K.Predicted.Needed.P90 - 1e-6));
    L.WarpsPerSm = K.Predicted.WarpsPerSm;
  }
  L.DataDecides = dataDecides(K);
  return L;
}

static LockedLaunch refusedLaunch(const KernelReport &K) {
  LockedLaunch L;
  L.Text = launchText(K.Launched);
  L.Device = K.Device;
  L.CannotRun = true;
  return L;
}

/// What all launches of a kernel have in common.
static LockedKernel lockedKernel(const KernelFacts &Facts) {
  LockedKernel K;
  K.Name = stableName(Facts.Name);
  K.Architecture = Facts.Architecture;
  const ResourceUse &Use = Facts.Resources;
  K.Registers = Use.RegistersPerThread;
  K.IsEstimate = Use.IsEstimate;
  if (!Use.IsEstimate) {
    K.SpillBytes = Use.SpillStoreBytes + Use.SpillLoadBytes;
    K.StackBytes = Use.StackBytes;
  }
  K.SharedBytes = Facts.StaticSharedBytes;
  return K;
}

void gpuocc::addReport(const Report &R, LockFile &Lock) {
  std::map<std::tuple<std::string, std::string, std::string>, LockedKernel>
      Kernels;
  auto KernelOf = [&](const KernelReport &K) -> LockedKernel & {
    auto [Slot, IsNew] = Kernels.try_emplace(
        {K.Facts.Name, K.Facts.Architecture, K.Facts.Place.File});
    if (IsNew)
      Slot->second = lockedKernel(K.Facts);
    if (!K.Facts.BuiltBy.empty())
      Lock.Compilers.push_back(K.Facts.BuiltBy);
    Lock.Devices.push_back(K.Device);
    return Slot->second;
  };
  for (const KernelReport &K : R.Kernels) {
    LockedKernel &Locked = KernelOf(K);
    if (K.Launched.Block.Source.by() == GivenBy::Nobody)
      Locked.Blocks =
          LockedBlocks{K.Predicted.BlocksPerSm, K.Launched.threadsPerBlock()};
    else
      Locked.Launches.push_back(lockedLaunch(K));
  }
  for (const KernelReport &K : R.Refused)
    KernelOf(K).Launches.push_back(refusedLaunch(K));
  for (auto &[Key, K] : Kernels)
    Lock.Kernels.push_back(std::move(K));
}

static LockedLaunch lockedLaunch(const KernelSummary &K) {
  LockedLaunch L;
  L.Text = K.LaunchText;
  L.Device = K.Device;
  L.CannotRun = K.CannotRun;
  if (K.CannotRun)
    return L;
  L.BlocksPerSm = K.Resources.BlocksPerSm;
  L.TimeNs = K.TimeNs;
  L.Limiter = K.Limiter;
  if (K.NeededWarps) {
    L.NeededWarps = uint64_t(std::ceil(*K.NeededWarps - 1e-6));
    L.WarpsPerSm = K.Resources.WarpsPerSm;
  }
  L.DataDecides = K.DataDecides;
  return L;
}

static LockedKernel lockedKernel(const KernelSummary &K) {
  LockedKernel Locked;
  Locked.Name = stableName(K.Name);
  Locked.Architecture = K.Architecture;
  Locked.Registers = K.Resources.Registers;
  Locked.IsEstimate = K.Resources.AreEstimates;
  if (!Locked.IsEstimate) {
    Locked.SpillBytes = K.Resources.SpillBytes;
    Locked.StackBytes = K.Resources.StackBytes;
  }
  if (K.Resources.SharedBytes)
    Locked.SharedBytes =
        *K.Resources.SharedBytes -
        std::min(K.DynamicSharedBytes, *K.Resources.SharedBytes);
  return Locked;
}

void SummariesToLock::add(const ReportSummary &Summary) {
  for (const KernelSummary &K : Summary.Kernels) {
    LockedKernel Its = lockedKernel(K);
    auto [Slot, IsNew] =
        Kernels.try_emplace({K.Name, K.Architecture, K.File, Its.Registers,
                             Its.SpillBytes, Its.StackBytes, Its.SharedBytes});
    if (IsNew)
      Slot->second = std::move(Its);
    if (!K.BuiltBy.empty())
      Compilers.insert(K.BuiltBy);
    Devices.insert(K.Device);
    if (!K.BlockIsGiven) {
      Slot->second.Blocks =
          LockedBlocks{K.Resources.BlocksPerSm.value_or(0), K.BlockThreads};
      continue;
    }
    // What several sources launch is there once.
    LockedLaunch Launch = lockedLaunch(K);
    if (!is_contained(Slot->second.Launches, Launch))
      Slot->second.Launches.push_back(std::move(Launch));
  }
}

void SummariesToLock::moveTo(LockFile &Lock) {
  append_range(Lock.Compilers, Compilers);
  append_range(Lock.Devices, Devices);
  for (auto &[Key, K] : Kernels)
    Lock.Kernels.push_back(std::move(K));
  Kernels.clear();
}
