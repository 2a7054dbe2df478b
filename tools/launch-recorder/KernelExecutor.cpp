//===- KernelExecutor.cpp - Kernels of the program, run -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelExecutor.h"
#include "KernelTable.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>

using namespace gpuocc::recorder;

namespace {

/// What compilers pass to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  int Magic, Version;
  const void *Data;
  const void *FileName;
};

} // namespace

/// What GpuoccRunKernel returns for kernels that cannot run.
static constexpr int CannotRun = 1;

/// Handles point to the number of their module.
static constexpr int NoModule = -1;

KernelExecutor::KernelExecutor() {
  const char *Library = std::getenv("GPUOCC_EXECUTE");
  if (!Library || !*Library)
    return;
  void *Opened = dlopen(Library, RTLD_NOW | RTLD_LOCAL);
  if (Opened)
    Functions = static_cast<const GpuoccExecuteFunctions *>(
        dlsym(Opened, "gpuoccExecuteFunctions"));
  if (!Functions) {
    std::fprintf(stderr, "error: kernels cannot run: %s\n", dlerror());
    std::_Exit(125);
  }
}

void **KernelExecutor::addModule(const void *Wrapper) {
  static int None = NoModule;
  const auto *Data = static_cast<const char *>(
      static_cast<const FatBinaryWrapper *>(Wrapper)->Data);
  constexpr size_t MarkBytes = sizeof(GPUOCC_DEVICE_CODE_MARK) - 1;
  if (!Functions || std::memcmp(Data, GPUOCC_DEVICE_CODE_MARK, MarkBytes) != 0)
    return reinterpret_cast<void **>(&None);
  uint64_t Bytes = 0, PricedBytes = 0;
  std::memcpy(&Bytes, Data + MarkBytes, sizeof(Bytes));
  const char *Bitcode = Data + MarkBytes + sizeof(Bytes);
  const char *Behind = Bitcode + Bytes;
  std::memcpy(&PricedBytes, Behind, sizeof(PricedBytes));
  char Why[1024] = "";
  auto *Number = new int(
      Functions->AddModule(Bitcode, size_t(Bytes), Behind + sizeof(PricedBytes),
                           size_t(PricedBytes), Why, sizeof(Why)));
  if (*Number == NoModule)
    std::fprintf(stderr, "error: device code cannot be read: %s\n", Why);
  return reinterpret_cast<void **>(Number);
}

int KernelExecutor::moduleOf(void **Handle) const {
  return Functions ? *reinterpret_cast<int *>(Handle) : NoModule;
}

void KernelExecutor::addKernel(void **Handle, const void *Stub,
                               const char *Name) {
  if (const int Module = moduleOf(Handle); Module != NoModule) {
    std::lock_guard<std::mutex> Guard(Lock);
    Kernels[Stub] = {Module, Name};
  }
}

void KernelExecutor::addVariable(void **Handle, const char *Name, void *Address,
                                 size_t Bytes) {
  if (const int Module = moduleOf(Handle); Module != NoModule)
    Functions->BindVariable(Module, Name, Address, Bytes);
}

void KernelExecutor::load(void **Handle) {
  const int Module = moduleOf(Handle);
  char Why[1024] = "";
  if (Module != NoModule &&
      Functions->LoadModule(Module, Why, sizeof(Why)) != 0)
    std::fprintf(stderr,
                 "warning: variables of the device are not initialized: %s\n",
                 Why);
}

void KernelExecutor::tell(const std::string &Kernel, const char *Level,
                          const std::string &What) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Told.insert(Kernel + Level).second)
    return;
  int Status = 0;
  char *Demangled =
      abi::__cxa_demangle(Kernel.c_str(), nullptr, nullptr, &Status);
  const std::string Name = Status == 0 ? Demangled : Kernel;
  std::fprintf(stderr, "%s: kernel '%s' %s\n", Level, Name.c_str(),
               What.c_str());
  std::free(Demangled);
}

std::optional<KernelExecutor::Kernel> KernelExecutor::find(const void *Stub) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Kernels.find(Stub);
  return Found == Kernels.end() ? std::nullopt : std::optional(Found->second);
}

bool KernelExecutor::run(const void *Stub, GpuoccLaunch &Launch) {
  if (!Functions || Failure != 0)
    return false;
  const std::optional<Kernel> Found = find(Stub);
  if (!Found) {
    tell(kernelTable().find(Stub)->Name, "warning",
         "did not run: it is in no source of the program; from here on the "
         "program may go another way than on a GPU");
    return false;
  }
  const Kernel &K = *Found;
  char Why[1024] = "";
  const int Error =
      Functions->RunKernel(K.Module, K.Name.c_str(), &Launch, Why, sizeof(Why));
  if (Error == 0) {
    if (*Why)
      tell(K.Name, "warning", Why);
    return true;
  }
  if (Error == CannotRun) {
    tell(K.Name, "warning",
         "did not run: it " + std::string(Why) +
             "; from here on the program may go another way than on a GPU");
    return false;
  }
  tell(K.Name, "error", "failed: it " + std::string(Why));
  launchLog().noteFailure();
  Failure = Error;
  return false;
}

KernelExecutor &gpuocc::recorder::kernelExecutor() {
  // Never destroyed: programs launch while they end.
  static KernelExecutor &Only = *new KernelExecutor;
  return Only;
}
