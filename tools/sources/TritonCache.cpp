//===- TritonCache.cpp - Files that Triton keeps --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TritonCache.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned LanesPerWarp = 32;

std::vector<HostLaunch>
gpuocc::launchesOfTriton(StringRef PtxFile, ArrayRef<KernelFacts> Kernels) {
  std::vector<HostLaunch> Launches;
  SmallString<256> Path(PtxFile);
  sys::path::replace_extension(Path, "json");
  if (!sys::fs::is_regular_file(Path))
    return Launches;
  // Users give names of this form to reports, which are empty while the
  // command that writes one runs.
  Expected<json::Value> Text = readJSONFile(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return Launches;
  }
  const json::Object *Fields = Text->getAsObject();
  std::optional<int64_t> Warps, Shared;
  if (Fields) {
    Warps = Fields->getInteger("num_warps");
    Shared = Fields->getInteger("shared");
  }
  constexpr int64_t MostWarps = 64;
  if (!Warps || *Warps < 1 || *Warps > MostWarps)
    return Launches;
  const std::optional<StringRef> Name = Fields->getString("name");
  for (const KernelFacts &Facts : Kernels) {
    if (Name && Facts.Name != *Name)
      continue;
    HostLaunch L;
    L.Kernel = Facts.Name;
    L.Place = {Path.str().str(), 1, 0, ""};
    L.Grid = {HostExpr::variable("grid"), HostExpr::number(1),
              HostExpr::number(1)};
    L.Block = {HostExpr::number(*Warps * LanesPerWarp), HostExpr::number(1),
               HostExpr::number(1)};
    L.DynamicSharedBytes =
        HostExpr::number(Facts.UsesDynamicShared ? Shared.value_or(0) : 0);
    Launches.push_back(std::move(L));
  }
  return Launches;
}

/// The PTX files in and below \p Folder.
static Expected<std::vector<std::string>> ptxBelow(StringRef Folder) {
  Expected<std::vector<std::string>> Found = filesBelow(Folder, ".ptx");
  if (Found && Found->empty())
    return createStringError("there is no PTX (.ptx) in folder '" + Folder +
                             "'");
  return Found;
}

Expected<std::vector<std::string>>
gpuocc::withPtxOfFolders(ArrayRef<StringRef> Paths) {
  std::vector<std::string> All;
  for (StringRef Path : Paths) {
    if (!sys::fs::is_directory(Path)) {
      All.push_back(Path.str());
      continue;
    }
    Expected<std::vector<std::string>> Found = ptxBelow(Path);
    if (!Found)
      return Found.takeError();
    append_range(All, *Found);
  }
  return All;
}
