//===- DeviceProperties.cpp - cudaGetDeviceProperties ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiled with the program, since the structure changes between toolkits.
///
//===----------------------------------------------------------------------===//

#include <cstring>
#include <cuda_runtime_api.h>

extern "C" long long gpuoccDeviceNumber(const char *Name);

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties,
                                               int) {
  std::memset(Properties, 0, sizeof(*Properties));
  auto Number = [](const char *Name) { return int(gpuoccDeviceNumber(Name)); };
  std::strcpy(Properties->name, "gpu-occupancy");
  Properties->totalGlobalMem = size_t(gpuoccDeviceNumber("memory_bytes"));
  Properties->sharedMemPerBlock = size_t(Number("shared_bytes_per_block"));
  Properties->sharedMemPerBlockOptin =
      size_t(Number("shared_bytes_per_block_optin"));
  Properties->sharedMemPerMultiprocessor =
      size_t(Number("shared_bytes_per_sm"));
  Properties->regsPerBlock = Properties->regsPerMultiprocessor =
      Number("registers_per_sm");
  Properties->warpSize = Number("warp_lanes");
  Properties->maxThreadsPerBlock = Number("threads_per_block");
  Properties->maxThreadsPerMultiProcessor = Number("threads_per_sm");
  Properties->maxBlocksPerMultiProcessor = Number("blocks_per_sm");
  Properties->maxThreadsDim[0] = Properties->maxThreadsDim[1] =
      Number("threads_per_block");
  Properties->maxThreadsDim[2] = Number("block_z");
  Properties->maxGridSize[0] = Number("grid_x");
  Properties->maxGridSize[1] = Properties->maxGridSize[2] = Number("grid_yz");
  Properties->totalConstMem = size_t(Number("constant_bytes"));
  Properties->major = Number("capability_major");
  Properties->minor = Number("capability_minor");
  Properties->multiProcessorCount = Number("multiprocessors");
  Properties->l2CacheSize = Number("l2_bytes");
  Properties->memoryBusWidth = Number("memory_bus_bits");
  Properties->asyncEngineCount = 1;
  Properties->canMapHostMemory = Properties->concurrentKernels = 1;
  Properties->unifiedAddressing = Properties->managedMemory = 1;
  Properties->concurrentManagedAccess = Properties->cooperativeLaunch = 1;
#if CUDART_VERSION < 13000
  Properties->clockRate = Number("clock_khz");
  Properties->memoryClockRate = Number("memory_clock_khz");
  Properties->deviceOverlap = 1;
#else
  // Programs of older toolkits see the members that CUDA 13 removed in the room
  // that is reserved, in the order of their command line (tools/sources).
  Properties->reserved[0] = Number("clock_khz");
  Properties->reserved[1] = Number("memory_clock_khz");
  Properties->reserved[2] = 1; // deviceOverlap
#endif
  return cudaSuccess;
}
