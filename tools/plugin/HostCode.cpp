//===- HostCode.cpp - Launches in the host code being compiled ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "launches-plugin/LaunchesPlugin.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace gpuocc;
using namespace llvm;

/// The list of clang's plugins, `llvm::Registry<clang::PluginASTAction>::Head`:
/// a program that has it parses sources.
static constexpr char ClangPluginList[] =
    "_ZN4llvm8RegistryIN5clang15PluginASTActionEE4HeadE";

void gpuocc::loadLaunchesPlugin() {
  Dl_info This;
  if (!dlsym(RTLD_DEFAULT, ClangPluginList) ||
      !dladdr(reinterpret_cast<void *>(&loadLaunchesPlugin), &This))
    return;
  SmallString<256> Path(This.dli_fname);
  sys::path::remove_filename(Path);
  sys::path::append(Path, "GpuOccupancyLaunches.so");
  if (sys::fs::exists(Path))
    sys::DynamicLibrary::LoadLibraryPermanently(Path.c_str());
}

Expected<std::vector<HostLaunch>> gpuocc::launchesInHostCode() {
  void *Address = dlsym(RTLD_DEFAULT, "gpuoccHostLaunches");
  if (!Address)
    return std::vector<HostLaunch>();
  auto *Launches = reinterpret_cast<decltype(&gpuoccHostLaunches)>(Address);
  return parseHostLaunches(Launches());
}
