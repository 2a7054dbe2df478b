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
#include "KernelExecutor.h"
#include "LaunchLog.h"
#include <algorithm>

using namespace gpuocc::recorder;

namespace {

/// The configuration between <<< and the call behind >>>.
struct Configuration {
  Extent Grid, Block;
  size_t SharedBytes = 0;
  void *Stream = nullptr;
};

/// The start of cudaLaunchConfig_t.
struct LaunchConfig {
  Extent Grid, Block;
  size_t SharedBytes;
};

/// The start of cudaFuncAttributes.
struct FunctionAttributes {
  size_t SharedBytes, ConstantBytes, LocalBytes;
  int MaxThreadsPerBlock, NumRegisters, PtxVersion, BinaryVersion;
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
  launchLog().addKernel(Stub, Name);
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
                     void **Arguments, size_t SharedBytes, void *) {
  launchLog().add(Stub, Grid, Block, SharedBytes, Arguments);
  return 0;
}
int cudaLaunchKernel_ptsz(const void *Stub, Extent Grid, Extent Block,
                          void **Arguments, size_t SharedBytes, void *Stream) {
  return cudaLaunchKernel(Stub, Grid, Block, Arguments, SharedBytes, Stream);
}
int cudaLaunchCooperativeKernel(const void *Stub, Extent Grid, Extent Block,
                                void **Arguments, size_t SharedBytes, void *) {
  launchLog().add(Stub, Grid, Block, SharedBytes, Arguments,
                  /*IsCooperative=*/true);
  return 0;
}
int cudaLaunchKernelExC(const LaunchConfig *Config, const void *Stub,
                        void **Arguments) {
  return cudaLaunchKernel(Stub, Config->Grid, Config->Block, Arguments,
                          Config->SharedBytes, nullptr);
}

// Registers are the compiler's to know; threads and shared memory bound the
// blocks.
int cudaFuncGetAttributes(FunctionAttributes *Attributes, const void *) {
  *Attributes = {};
  Attributes->MaxThreadsPerBlock = int(gpuoccDeviceNumber("threads_per_block"));
  Attributes->NumRegisters = 32;
  Attributes->PtxVersion = Attributes->BinaryVersion =
      int(gpuoccDeviceNumber("capability"));
  return 0;
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *,
                                                  int BlockSize,
                                                  size_t SharedBytes) {
  long long Most =
      gpuoccDeviceNumber("threads_per_sm") / std::max(BlockSize, 1);
  Most = std::min(Most, gpuoccDeviceNumber("blocks_per_sm"));
  if (SharedBytes != 0)
    Most = std::min(Most, gpuoccDeviceNumber("shared_bytes_per_sm") /
                              (long long)(SharedBytes));
  *Blocks = int(Most);
  return 0;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *Blocks,
                                                           const void *Stub,
                                                           int BlockSize,
                                                           size_t SharedBytes,
                                                           unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(Blocks, Stub, BlockSize,
                                                       SharedBytes);
}

} // extern "C"
