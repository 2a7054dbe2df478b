//===- Architectures.cpp - The GPUs that kernels are written for ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Architectures.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned KiB = 1 << 10, MiB = 1 << 20;

// Drivers since 525 take PTX 8.0; a later version is stated only where the
// architecture is not in it, or an instruction of the architecture is not.
static constexpr ArchitectureFacts Facts[] = {
    {70, "8.0", 80, 96 * KiB, 96 * KiB, 2048, 32, 6 * MiB, 1530000, 877000,
     4096},
    {72, "8.0", 8, 96 * KiB, 96 * KiB, 2048, 32, MiB / 2, 1377000, 2133000,
     256},
    {75, "8.0", 40, 64 * KiB, 64 * KiB, 1024, 16, 4 * MiB, 1590000, 5001000,
     256},
    {80, "8.0", 108, 164 * KiB, 163 * KiB, 2048, 32, 40 * MiB, 1410000, 1215000,
     5120},
    {86, "8.0", 84, 100 * KiB, 99 * KiB, 1536, 16, 6 * MiB, 1740000, 7251000,
     384},
    {87, "8.0", 16, 164 * KiB, 163 * KiB, 1536, 16, 4 * MiB, 1300000, 3200000,
     256},
    {88, "9.0", 16, 164 * KiB, 163 * KiB, 1536, 16, 4 * MiB, 1300000, 3200000,
     256},
    // 8.1 is the first with the conversions of 8-bit floating point on sm_89.
    {89, "8.1", 142, 100 * KiB, 99 * KiB, 1536, 24, 96 * MiB, 2520000, 9001000,
     384},
    {90, "8.0", 132, 228 * KiB, 227 * KiB, 2048, 32, 60 * MiB, 1980000, 3201000,
     6144},
    {100, "8.6", 148, 228 * KiB, 227 * KiB, 2048, 32, 126 * MiB, 1965000,
     3996000, 8192},
    {103, "8.8", 148, 228 * KiB, 227 * KiB, 2048, 32, 126 * MiB, 1965000,
     3996000, 8192},
    {110, "9.0", 20, 228 * KiB, 227 * KiB, 1536, 24, 32 * MiB, 1575000, 4266000,
     256},
    {120, "8.7", 188, 100 * KiB, 99 * KiB, 1536, 24, 128 * MiB, 2617000,
     14001000, 512},
    {121, "8.8", 48, 100 * KiB, 99 * KiB, 1536, 24, 24 * MiB, 2418000, 4266000,
     256},
};

ArrayRef<ArchitectureFacts> architectures() { return Facts; }

const ArchitectureFacts *findArchitecture(unsigned Architecture) {
  const ArchitectureFacts *Found =
      find_if(Facts, [&](const ArchitectureFacts &F) {
        return F.Architecture == Architecture;
      });
  return Found == std::end(Facts) ? nullptr : Found;
}

StringRef ptxVersion(unsigned Architecture) {
  StringRef Version = Facts[0].PtxVersion;
  for (const ArchitectureFacts &F : Facts)
    if (F.Architecture <= Architecture)
      Version = F.PtxVersion;
  return Version;
}

namespace {
/// A version of PTX, and the release of CUDA that came with it.
struct PtxRelease {
  StringRef Version;
  unsigned Cuda;
};
} // namespace

// Source: PTX ISA 9.0, "Release Notes".
static constexpr PtxRelease PtxReleases[] = {
    {"8.0", 12000}, {"8.1", 12010}, {"8.6", 12070},
    {"8.7", 12080}, {"8.8", 12090}, {"9.0", 13000},
};

unsigned cudaReleaseOf(StringRef Version) {
  for (const PtxRelease &R : PtxReleases)
    if (R.Version == Version)
      return R.Cuda;
  return std::rbegin(PtxReleases)->Cuda;
}

} // namespace gpuocc::calibration
