//===- CaseLaunch.cpp - How a measured kernel was launched ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseLaunch.h"
#include "CaseRecord.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::map<unsigned, int64_t>
gpuocc::argumentsOfVariant(const TruthCase &C, const KernelFacts &Facts) {
  std::map<unsigned, int64_t> Arguments;
  SmallVector<StringRef, 4> Parts;
  C.variant().split(Parts, ',');
  for (StringRef Part : Parts) {
    auto [Name, Text] = Part.split('=');
    int64_t Value = 0;
    if (Text.getAsInteger(10, Value))
      continue;
    for (const auto &[Index, P] : enumerate(Facts.Parameters))
      if (P.Name == Name)
        Arguments[unsigned(Index)] = Value;
  }
  return Arguments;
}

static bool fits(const LaunchSpec &Spec, const TruthCase &C,
                 const KernelFacts &Facts) {
  return matchesKernel(Spec, Facts) && (!Spec.Grid || *Spec.Grid == C.Grid) &&
         (!Spec.Block || *Spec.Block == C.Block);
}

/// The first launch of \p C in the files of \p Folder; nothing when no file has
/// one.
static Expected<std::optional<LaunchSpec>>
findInFiles(StringRef Folder, const TruthCase &C, const KernelFacts &Facts) {
  for (const std::string &Name : {C.Suite + "#" + C.variant().str(), C.Suite}) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, Name + ".yaml");
    if (Folder.empty() || !sys::fs::exists(Path))
      continue;
    Expected<Config> File = loadConfig(Path, {});
    if (!File)
      return File.takeError();
    auto Found = find_if(
        File->Launches, [&](const LaunchSpec &S) { return fits(S, C, Facts); });
    if (Found == File->Launches.end())
      continue;
    return *Found;
  }
  return std::nullopt;
}

/// Adds to \p Spec, which a file says, what \p Recorded knows beyond it:
/// structs and contents of arrays.
static void addRecorded(const LaunchSpec &Recorded, LaunchSpec &Spec) {
  // Members that the file gives take precedence.
  for (const auto &[Position, Digits] : Recorded.StructBytes)
    Spec.StructBytes.try_emplace(Position, Digits);
  for (const auto &[Pointer, File] : Recorded.Memory)
    Spec.Memory.try_emplace(Pointer, File);
}

Expected<CaseLaunch> CaseLaunches::find(const TruthCase &C,
                                        const KernelFacts &Facts) {
  Expected<std::optional<LaunchSpec>> Known = findInFiles(Folder, C, Facts);
  if (!Known)
    return Known.takeError();
  LaunchSpec Spec = Known->value_or(LaunchSpec());
  if (!*Known)
    Spec.Source = "measurement";
  CaseLaunch Found;
  if (Record)
    if (std::optional<RunCase> Ran = Record->find(C, Facts)) {
      if (!*Known)
        Spec = std::move(Ran->Spec);
      else
        addRecorded(Ran->Spec, Spec);
      Found.IsReached = Ran->IsReached;
      Found.Seen = std::move(Ran->Seen);
      Found.Turns = std::move(Ran->Turns);
    }
  if (Spec.Arguments.empty())
    for (const auto &[Index, Value] : argumentsOfVariant(C, Facts))
      Spec.Arguments[utostr(Index)].Integer = Value;
  Spec.Kernel = Facts.Name;
  Spec.Grid = C.Grid;
  Spec.Block = C.Block;
  Spec.DynamicSharedBytes = C.DynamicSharedBytes;
  Expected<ResolvedLaunches> Resolved = resolveLaunches(Facts, Config(), Spec);
  if (!Resolved)
    return Resolved.takeError();
  Found.What = std::move(Resolved->Launches.front());
  return Found;
}
