//===- LaunchCheck.cpp - Launches that a device refuses -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchCheck.h"
#include "DeviceNumbers.h"
#include "RuntimeErrors.h"
#include <algorithm>

using namespace gpuocc::recorder;

static long long staticShared(const ProgramKernel &K) {
  return K.Description ? (long long)(K.Description->SharedBytes) : 0;
}

int gpuocc::recorder::mostThreads(const ProgramKernel &K) {
  const int Most = int(gpuoccDeviceNumber("threads_per_block"));
  return K.Description && K.Description->MaxThreads != 0
             ? std::min<int>(Most, int(K.Description->MaxThreads))
             : Most;
}

long long gpuocc::recorder::mostDynamicShared(const ProgramKernel &K) {
  return K.DynamicSharedLimit
             ? *K.DynamicSharedLimit
             : gpuoccDeviceNumber("shared_bytes_per_block") - staticShared(K);
}

long long gpuocc::recorder::blocksPerSm(const ProgramKernel &K, int BlockSize,
                                        size_t SharedBytes) {
  if (BlockSize <= 0 || BlockSize > mostThreads(K))
    return 0;
  const size_t Warps = (size_t(BlockSize) + 31) / 32;
  long long Blocks =
      std::min(gpuoccDeviceNumber("blocks_per_sm"),
               gpuoccDeviceNumber("threads_per_sm") / 32 / (long long)(Warps));
  if (K.Description && Warps <= K.Description->BlocksByWarps.size())
    Blocks = K.Description->BlocksByWarps[Warps - 1];
  const long long Unit = std::max(gpuoccDeviceNumber("shared_unit_bytes"), 1LL);
  const long long Shared =
      (staticShared(K) + (long long)(SharedBytes) +
       gpuoccDeviceNumber("reserved_shared_bytes") + Unit - 1) /
      Unit * Unit;
  return Shared == 0
             ? Blocks
             : std::min(Blocks,
                        gpuoccDeviceNumber("shared_bytes_per_sm") / Shared);
}

static unsigned long long countOf(Extent E) {
  return (unsigned long long)(E.X) * E.Y * E.Z;
}

static bool isWithin(Extent E, long long X, long long Y, long long Z) {
  return countOf(E) != 0 && E.X <= X && E.Y <= Y && E.Z <= Z;
}

/// Do grid and block have extents that every kernel may be launched with?
static bool hasValidShape(const LaunchRequest &R) {
  const long long Threads = gpuoccDeviceNumber("threads_per_block");
  const long long GridYZ = gpuoccDeviceNumber("grid_yz");
  return isWithin(R.Grid, gpuoccDeviceNumber("grid_x"), GridYZ, GridYZ) &&
         isWithin(R.Block, Threads, Threads, gpuoccDeviceNumber("block_z")) &&
         countOf(R.Block) <= (unsigned long long)(Threads);
}

/// A cooperative launch whose blocks wait for each other needs all of them on
/// the device.
static bool isTooLargeTogether(const ProgramKernel &K, const LaunchRequest &R) {
  const long long Sms = gpuoccDeviceNumber("multiprocessors");
  if (!R.IsCooperative || Sms == 0)
    return false;
  const long long Fit =
      blocksPerSm(K, int(countOf(R.Block)), R.SharedBytes) * Sms;
  return countOf(R.Grid) > (unsigned long long)(Fit);
}

/// Does an SM hold no block of \p Threads, since their registers are too many?
static bool hasTooManyRegisters(const ProgramKernel &K,
                                unsigned long long Threads) {
  const size_t Warps = size_t(Threads + 31) / 32;
  return K.Description && Warps <= K.Description->BlocksByWarps.size() &&
         K.Description->BlocksByWarps[Warps - 1] == 0;
}

// Source of the numbers: programs on an H100 (driver 580.159.04, CUDA 13.0,
// 2026-11-28).
int gpuocc::recorder::launchError(const ProgramKernel &K,
                                  const LaunchRequest &R) {
  // Nothing is known of the device.
  if (gpuoccDeviceNumber("threads_per_block") == 0 ||
      gpuoccDeviceNumber("shared_bytes_per_block") == 0)
    return Success;
  if (!hasValidShape(R))
    return InvalidValue;
  if ((long long)(R.SharedBytes) > mostDynamicShared(K))
    return InvalidValue;
  const unsigned long long Threads = countOf(R.Block);
  if (Threads > (unsigned long long)(mostThreads(K)))
    return hasTooManyRegisters(K, Threads) ? OutOfResources : InvalidValue;
  if (isTooLargeTogether(K, R))
    return CooperativeTooLarge;
  if (countOf(R.Cluster) != 0 &&
      (R.Grid.X % R.Cluster.X != 0 || R.Grid.Y % R.Cluster.Y != 0 ||
       R.Grid.Z % R.Cluster.Z != 0))
    return InvalidClusterSize;
  return Success;
}
