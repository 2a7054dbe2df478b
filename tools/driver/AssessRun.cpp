//===- AssessRun.cpp - The launches of one module, assessed ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/AssessRun.h"
#include "driver/ParameterNames.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

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

void gpuocc::refuseKernel(SessionResult &Result, bool IsOneOfMany,
                          StringRef Kernel, Error E) {
  std::string Why = toString(std::move(E));
  if (IsOneOfMany)
    Result.Notes.push_back({Kernel.str(), std::move(Why), /*IsWarning=*/true});
  else
    Result.Refused.push_back(
        StringRef(Why).contains(Kernel)
            ? std::move(Why)
            : ("kernel '" + Kernel + "' is not analyzed: " + Why).str());
}

AssessRun::AssessRun(const AssessInputs &In, Predictor &Model,
                     const AssessOptions &Options, SessionResult &Result)
    : In(In), Model(Model), Options(Options), Result(Result),
      Silenced(In.Buffers) {
  if (In.Known)
    Keys.emplace(Model.device(), In.Used, Options);
}

void AssessRun::run(std::vector<KernelFacts> Kernels) {
  takeMachineCode(Kernels);
  for (KernelFacts &Facts : Kernels)
    assessKernel(Facts);
  for (const std::string &Note : Silenced.notes())
    Result.Notes.push_back({"", Note, /*IsWarning=*/true});
}

void AssessRun::takeMachineCode(std::vector<KernelFacts> &Kernels) {
  StringSet<> WithCounts;
  for (const KernelFacts &Facts : Kernels)
    if (Facts.View != MachineView::Sass)
      WithCounts.insert(Facts.Name);
  std::vector<KernelFacts> Others;
  for (KernelFacts &Facts : Kernels) {
    if (Facts.View != MachineView::Sass || !WithCounts.contains(Facts.Name)) {
      Others.push_back(std::move(Facts));
      continue;
    }
    std::string Name = Facts.Name;
    MachineCode.try_emplace(std::move(Name), std::move(Facts));
  }
  Kernels = std::move(Others);
}

const KernelFacts *AssessRun::machineCode(const KernelFacts &Facts) const {
  auto Code = MachineCode.find(Facts.Name);
  return Code == MachineCode.end() ? nullptr : &Code->second;
}

void AssessRun::assessKernel(KernelFacts &Facts) {
  nameParameters(Facts);
  Expected<ResolvedLaunches> Resolved =
      resolveLaunches(Facts, In.File, In.Launches, In.HostLaunches);
  if (!Resolved)
    return refuseKernel(Result, In.IsOneOfMany, Facts.Name,
                        Resolved.takeError());
  for (const std::string &Note : Resolved->Notes)
    Facts.Gaps.push_back({NoIndex, Note});
  const size_t FirstReport = Result.What.Kernels.size();
  for (const Launch &L : Resolved->Launches)
    assessLaunch(Facts, L, Resolved->Launches, FirstReport);
}

void AssessRun::assessLaunch(const KernelFacts &Facts, const Launch &L,
                             ArrayRef<Launch> All, size_t FirstReport) {
  // A block that is not given is no launch.
  if (blameFor(L) != GivenBy::Nobody &&
      !is_contained(Options.Suppress, ruleName(RuleId::CannotRun)))
    if (std::optional<KernelReport> R =
            refuse(Facts, L, Model.device(), placeOfLaunch(In.HostLaunches, L)))
      return noteRefused(Facts, L, std::move(*R));
  const KernelFacts *Code = machineCode(Facts);
  std::string Key;
  if (Keys) {
    Key = Keys->of(Facts, Code, L, Silenced.stateFor(Facts));
    // Those of equal extents are compared.
    if (In.Known->Keys.count(Key) && isAloneIn(All, L)) {
      In.Known->All.push_back({std::move(Key), /*IsLeftOut=*/true});
      return;
    }
  }
  Expected<KernelReport> R =
      Code ? assessMachineCode(Facts, *Code, L, Model, Options)
           : assess(Facts, L, Model, Options);
  if (!R)
    return noteFailed(Facts, L, R.takeError());
  if (std::optional<KernelReport> Hangs = refuse(*R))
    return noteRefused(Facts, L, std::move(*Hangs));
  Silenced.apply(*R);
  if (any_of(
          drop_begin(Result.What.Kernels, FirstReport),
          [&](const KernelReport &Other) { return comeOutTheSame(*R, Other); }))
    return;
  Result.What.Kernels.push_back(std::move(*R));
  if (In.Known)
    In.Known->All.push_back({std::move(Key), /*IsLeftOut=*/false});
}

void AssessRun::noteRefused(const KernelFacts &Facts, const Launch &L,
                            KernelReport R) {
  Silenced.apply(R);
  if (R.Findings.empty())
    return;
  std::string Why = R.Findings.front().text();
  if (blameFor(L) == GivenBy::HostCode)
    Why = L.Block.Source.text() + ": " + Why;
  Result.Notes.push_back({Facts.Name, std::move(Why), /*IsWarning=*/true,
                          /*IsInReport=*/true});
  Result.What.Refused.push_back(std::move(R));
}

void AssessRun::noteFailed(const KernelFacts &Facts, const Launch &L, Error E) {
  switch (blameFor(L)) {
  case GivenBy::User:
    return refuseKernel(Result, In.IsOneOfMany, Facts.Name, std::move(E));
  case GivenBy::HostCode:
    Result.Notes.push_back(
        {Facts.Name, L.Block.Source.text() + ": " + toString(std::move(E)),
         /*IsWarning=*/true});
    return;
  default:
    Result.Notes.push_back(
        {Facts.Name, toString(std::move(E)), /*IsWarning=*/false});
  }
}
