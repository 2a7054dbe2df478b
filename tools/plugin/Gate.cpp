//===- Gate.cpp - The file that compilers load ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes take the symbols of one LLVM from the compiler, so that another
/// compiler cannot load them and names a mangled symbol. This file needs none:
/// it looks at the compiler first, and loads the passes beside it or says in
/// one line why not.
///
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <string>

extern "C" {
/// llvm::PassPluginLibraryInfo up to LLVM 21. It is returned in memory of the
/// caller, which must not be written beyond what the caller knows of.
struct FirstPluginInfo {
  uint32_t APIVersion;
  const char *PluginName, *PluginVersion;
  void (*RegisterPassBuilderCallbacks)(void *);
};

/// The same since LLVM 22.
struct PluginInfo {
  uint32_t APIVersion;
  const char *PluginName, *PluginVersion;
  void (*RegisterPassBuilderCallbacks)(void *);
  void (*PreCodeGenCallback)();
};
}

namespace {

/// The LLVM of the compiler; major version 0 where it cannot be told.
struct Version {
  unsigned Major = 0;
  std::string Text;
};

} // namespace

static Version versionOfCompiler() {
  // Since LLVM 16; a compiler that is one file may leave it out.
  using VersionFunction = void (*)(unsigned *, unsigned *, unsigned *);
  if (void *Symbol = dlsym(RTLD_DEFAULT, "LLVMGetVersion")) {
    unsigned Major, Minor, Patch;
    reinterpret_cast<VersionFunction>(Symbol)(&Major, &Minor, &Patch);
    return {Major, "LLVM " + std::to_string(Major) + "." +
                       std::to_string(Minor) + "." + std::to_string(Patch)};
  }
  Dl_info Found;
  void *Any = dlsym(RTLD_DEFAULT, "LLVMContextCreate");
  if (!Any || !dladdr(Any, &Found) || !Found.dli_fname)
    return {0, "another LLVM"};
  const std::string File = Found.dli_fname;
  return {0, "another LLVM (" + File.substr(File.rfind('/') + 1) + ")"};
}

/// The file with the passes, which lies beside this one.
static std::string passesFile() {
  Dl_info This;
  if (!dladdr(reinterpret_cast<void *>(&passesFile), &This))
    return "GpuOccupancyPasses.so";
  const std::string File = This.dli_fname;
  return File.substr(0, File.rfind('/') + 1) + "GpuOccupancyPasses.so";
}

/// The function of the passes that compilers ask; null after a message.
static void *entryOfPasses(const Version &Theirs) {
  std::string Why;
  if (Theirs.Major == 0 || Theirs.Major == GPUOCC_LLVM_MAJOR) {
    const std::string File = passesFile();
    if (void *Passes = dlopen(File.c_str(), RTLD_LAZY | RTLD_GLOBAL))
      return dlsym(Passes, "llvmGetPassPluginInfo");
    if (Theirs.Major != 0)
      Why = std::string(": ") + dlerror();
  }
  std::fprintf(stderr,
               "warning: gpu-occupancy was built with LLVM %s and does nothing "
               "in this compiler, which has %s%s\n",
               GPUOCC_LLVM_VERSION, Theirs.Text.c_str(), Why.c_str());
  return nullptr;
}

static void registerNothing(void *) {}

/// What a compiler takes for a plugin without passes. The first version of the
/// interface holds until LLVM 21.
static FirstPluginInfo nothingOfFirst() {
  return {1, "GpuOccupancy", GPUOCC_VERSION, registerNothing};
}

static PluginInfo nothing() {
  return {2, "GpuOccupancy", GPUOCC_VERSION, registerNothing, nullptr};
}

extern "C" __attribute__((visibility("default"))) PluginInfo
llvmGetPassPluginInfo() {
  using Function = PluginInfo (*)();
  const Version Theirs = versionOfCompiler();
  void *Entry = entryOfPasses(Theirs);
  constexpr unsigned FirstWithTwo = 22;
  if (!Entry && Theirs.Major >= FirstWithTwo)
    return nothing();
  if (!Entry)
    Entry = reinterpret_cast<void *>(&nothingOfFirst);
  return reinterpret_cast<Function>(Entry)();
}
