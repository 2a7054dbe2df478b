//===- RuntimeOccupancy.cpp - What kernels need and how many fit ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Attributes of kernels and the occupancy functions, by the registers and the
/// shared memory that the assembler gave the kernels. Names and types are those
/// of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "DeviceNumbers.h"
#include "KernelTable.h"
#include "LaunchCheck.h"
#include "LaunchConfig.h"
#include "LaunchLog.h"
#include "RuntimeErrors.h"
#include <algorithm>

using namespace gpuocc::recorder;

namespace {

/// cudaFuncAttributes up to where toolkits differ.
struct FunctionAttributes {
  size_t SharedBytes, ConstantBytes, LocalBytes;
  int MaxThreadsPerBlock, NumRegisters, PtxVersion, BinaryVersion;
  int CacheModeCA, MaxDynamicSharedBytes, PreferredCarveout;
};

/// The cudaFuncAttribute that a program sets before it launches.
enum FunctionAttribute { MaxDynamicSharedSize = 8, PreferredCarveout = 9 };

} // namespace

/// What cudaFuncGetAttributes says of kernels that no given source defines.
static constexpr int UnknownRegisters = 32;

/// \p K as an occupancy function is asked for it; null where there is no such
/// kernel.
static const ProgramKernel *askedKernel(const void *Stub) {
  const ProgramKernel *K = kernelTable().find(Stub);
  if (K && !K->Description)
    launchLog().note("the program asks for registers or occupancy of '" +
                     K->Name +
                     "', which no given source defines: it is told what a "
                     "kernel of 32 registers has");
  return K;
}

static long long staticShared(const ProgramKernel &K) {
  return K.Description ? (long long)(K.Description->SharedBytes) : 0;
}

extern "C" {

int cudaFuncGetAttributes(FunctionAttributes *Attributes, const void *Stub) {
  *Attributes = {};
  const ProgramKernel *K = askedKernel(Stub);
  if (!K)
    return noteError(InvalidDeviceFunction);
  if (const KernelDescription *D = K->Description) {
    Attributes->SharedBytes = D->SharedBytes;
    Attributes->LocalBytes = D->LocalBytes;
  }
  Attributes->MaxThreadsPerBlock = mostThreads(*K);
  Attributes->NumRegisters = K->Description && K->Description->Registers != 0
                                 ? int(K->Description->Registers)
                                 : UnknownRegisters;
  Attributes->PtxVersion = Attributes->BinaryVersion =
      int(gpuoccDeviceNumber("capability"));
  Attributes->MaxDynamicSharedBytes = int(mostDynamicShared(*K));
  Attributes->PreferredCarveout = K->CarveoutPercent.value_or(-1);
  return 0;
}

int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value) {
  ProgramKernel *K = kernelTable().find(Stub);
  if (!K)
    return noteError(InvalidDeviceFunction);
  if (Attribute == MaxDynamicSharedSize) {
    if (Value < 0 ||
        Value > gpuoccDeviceNumber("shared_bytes_per_block_optin") -
                    staticShared(*K))
      return noteError(InvalidValue);
    K->DynamicSharedLimit = Value;
  }
  // -1 is the driver's own choice.
  if (Attribute == PreferredCarveout) {
    K->CarveoutPercent.reset();
    if (Value >= 0)
      K->CarveoutPercent = Value;
  }
  return 0;
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *Stub,
                                                  int BlockSize,
                                                  size_t SharedBytes) {
  *Blocks = 0;
  const ProgramKernel *K = askedKernel(Stub);
  if (!K)
    return noteError(InvalidDeviceFunction);
  *Blocks = int(blocksPerSm(*K, BlockSize, SharedBytes));
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

int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes, const void *Stub,
                                              int NumBlocks, int) {
  *Bytes = 0;
  const ProgramKernel *K = askedKernel(Stub);
  if (!K || NumBlocks <= 0)
    return noteError(InvalidDeviceFunction);
  const long long Static = staticShared(*K);
  const long long PerBlock =
      gpuoccDeviceNumber("shared_bytes_per_sm") / NumBlocks -
      gpuoccDeviceNumber("reserved_shared_bytes") - Static;
  *Bytes = size_t(std::clamp<long long>(
      PerBlock, 0,
      gpuoccDeviceNumber("shared_bytes_per_block_optin") - Static));
  return 0;
}

// The whole device as one place: that clusters stay within a GPC is not
// counted.
int cudaOccupancyMaxActiveClusters(int *Clusters, const void *Stub,
                                   const LaunchConfig *Config) {
  *Clusters = 0;
  const ProgramKernel *K = askedKernel(Stub);
  if (!K)
    return noteError(InvalidDeviceFunction);
  const Extent &B = Config->Block;
  const Extent C = clusterOf(*Config);
  const long long Blocks =
      blocksPerSm(*K, int(B.X * B.Y * B.Z), Config->SharedBytes) *
      gpuoccDeviceNumber("multiprocessors");
  *Clusters = int(Blocks / std::max(C.X * C.Y * C.Z, 1u));
  return 0;
}
int cudaOccupancyMaxPotentialClusterSize(int *Size, const void *,
                                         const LaunchConfig *) {
  *Size = int(gpuoccDeviceNumber("cluster_blocks"));
  return 0;
}

} // extern "C"
