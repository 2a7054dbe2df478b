//===- RuntimeLaunch.cpp - Kernels and their launches ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What compilers emit for kernels and <<<...>>>, and what programs call
/// themselves to launch. Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "DeviceNumbers.h"
#include "HostLog.h"
#include "KernelExecutor.h"
#include "KernelTable.h"
#include "Launch.h"
#include "LaunchCheck.h"
#include "LaunchConfig.h"
#include "LaunchLog.h"
#include "RepeatedLaunches.h"
#include "RuntimeErrors.h"
#include "Streams.h"
#include <memory>
#include <vector>

using namespace gpuocc::recorder;

namespace {

/// The configuration between <<< and the call behind >>>.
struct Configuration {
  Extent Grid, Block;
  size_t SharedBytes = 0;
  void *Stream = nullptr;
};

} // namespace

static thread_local std::vector<Configuration> Pending;

extern "C" {

void **__cudaRegisterFatBinary(void *Wrapper) {
  return kernelExecutor().addModule(Wrapper);
}
void __cudaRegisterFatBinaryEnd(void **Handle) {
  kernelExecutor().load(Handle);
}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 0; }

void __cudaRegisterFunction(void **Handle, const char *Stub, char *,
                            const char *Name, int, void *, void *, void *,
                            void *, int *) {
  kernelExecutor().addKernel(Handle, Stub, Name);
  kernelTable().add(Stub, Name);
}

// The variable of the host stands for the one of the device.
void __cudaRegisterVar(void **Handle, char *Variable, char *, const char *Name,
                       int, size_t Bytes, int, int) {
  kernelExecutor().addVariable(Handle, Name, Variable, Bytes);
}
void __cudaRegisterManagedVar(void **, void **Pointer, char *, const char *,
                              int, size_t Bytes, int, int) {
  *Pointer = deviceMemory().allocate(Bytes);
}

unsigned __cudaPushCallConfiguration(Extent Grid, Extent Block,
                                     size_t SharedBytes, void *Stream) {
  Pending.push_back({Grid, Block, SharedBytes, Stream});
  return 0;
}

int __cudaPopCallConfiguration(Extent *Grid, Extent *Block, size_t *SharedBytes,
                               void *Stream) {
  if (Pending.empty())
    return 1;
  const Configuration &Last = Pending.back();
  *Grid = Last.Grid;
  *Block = Last.Block;
  *SharedBytes = Last.SharedBytes;
  *static_cast<void **>(Stream) = Last.Stream;
  Pending.pop_back();
  return 0;
}

int cudaLaunchKernel(const void *Stub, Extent Grid, Extent Block,
                     void **Arguments, size_t SharedBytes, void *Stream) {
  return launchKernel(
      plainLaunch(Stub, Grid, Block, Arguments, SharedBytes, Stream));
}
int cudaLaunchKernel_ptsz(const void *Stub, Extent Grid, Extent Block,
                          void **Arguments, size_t SharedBytes, void *Stream) {
  return cudaLaunchKernel(Stub, Grid, Block, Arguments, SharedBytes, Stream);
}
// What nvcc 13 calls; the kernel is what __cudaGetKernel gave.
int __cudaLaunchKernel(const void *Kernel, Extent Grid, Extent Block,
                       void **Arguments, size_t SharedBytes, void *Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Arguments, SharedBytes, Stream);
}
int __cudaLaunchKernel_ptsz(const void *Kernel, Extent Grid, Extent Block,
                            void **Arguments, size_t SharedBytes,
                            void *Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Arguments, SharedBytes, Stream);
}
int __cudaGetKernel(const void **Kernel, const void *Stub) {
  *Kernel = Stub;
  return 0;
}
int cudaLaunchCooperativeKernel(const void *Stub, Extent Grid, Extent Block,
                                void **Arguments, size_t SharedBytes,
                                void *Stream) {
  LaunchRequest Request =
      plainLaunch(Stub, Grid, Block, Arguments, SharedBytes, Stream);
  Request.IsCooperative = true;
  return launchKernel(Request);
}
int cudaLaunchKernelExC(const LaunchConfig *Config, const void *Stub,
                        void **Arguments) {
  return launchKernel(requestOf(*Config, Stub, Arguments));
}

} // extern "C"

/// Runs the kernel where kernels run, and keeps what \p Files ask for.
static void run(const ProgramKernel &K, const LaunchRequest &Request,
                const WatchFiles &Files) {
  RepeatedLaunches::Begin Begin;
  if (repeatedLaunches().isDone(K, Request, !Files.isAny(), Begin))
    return;
  GpuoccLaunch Launch = {
      {Request.Grid.X, Request.Grid.Y, Request.Grid.Z},
      {Request.Block.X, Request.Block.Y, Request.Block.Z},
      {Request.Cluster.X, Request.Cluster.Y, Request.Cluster.Z},
      Request.SharedBytes,
      Request.IsCooperative,
      Request.Arguments,
      /*Effects=*/0,
      Files.Seen.empty() ? nullptr : Files.Seen.c_str(),
      Files.Turns.empty() ? nullptr : Files.Turns.c_str()};
  const bool HasRun = kernelExecutor().run(Request.Kernel, Launch);
  LaunchLog::noteWritten(K, Request.Arguments, HasRun);
  if (HasRun)
    repeatedLaunches().noteRun(K, Request, Begin,
                               gpuocc::RunEffects(Launch.Effects));
}

/// Writes the launch down and runs it.
static void launchNow(const ProgramKernel &K, const LaunchRequest &Request) {
  run(K, Request, launchLog().add(K, Request));
  launchLog().noteRun(K);
}

static std::string extentText(Extent E) {
  return std::to_string(E.X) + "x" + std::to_string(E.Y) + "x" +
         std::to_string(E.Z);
}

static void noteRefused(const ProgramKernel &K, const LaunchRequest &Request,
                        int Error) {
  launchLog().note(
      "a launch of '" + K.nameInCode() +
      "' fails as on a device: " + textOfError(Error) + " (grid " +
      extentText(Request.Grid) + ", block " + extentText(Request.Block) + ", " +
      std::to_string(Request.SharedBytes) + " bytes of dynamic shared memory)");
}

int gpuocc::recorder::launchKernel(const LaunchRequest &Request) {
  const ProgramKernel *K = kernelTable().find(Request.Kernel);
  if (!K)
    return noteError(InvalidDeviceFunction);
  if (const int Error = launchError(*K, Request)) {
    noteRefused(*K, Request, Error);
    return noteError(Error);
  }
  if (isCaptured(Request.Stream)) {
    auto Kept = std::make_shared<KeptLaunch>(Request);
    submit(Request.Stream, [Kept, K] { launchNow(*K, Kept->request()); });
  } else {
    const StreamScope Scope(Request.Stream);
    launchNow(*K, Request);
  }
  return 0;
}
