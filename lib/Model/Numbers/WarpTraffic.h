//===- WarpTraffic.h - What the memory accesses of a warp cost --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_WARPTRAFFIC_H
#define GPUOCC_LIB_MODEL_NUMBERS_WARPTRAFFIC_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Where the sectors of one request of an access are served, as fractions of
/// requests: they sum to 1.
struct ServiceLevels {
  double L1 = 0, L2 = 0, Dram = 0;
};

/// Bytes that one execution of an access moves beyond L1, per warp request.
struct AccessTraffic {
  double L2ReadBytes = 0, L2WriteBytes = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
  double HostReadBytes = 0, HostWriteBytes = 0;
};

/// True for spaces whose requests go through L1 to L2 and DRAM.
bool isCached(MemorySpace Space);

/// Levels that serve a request of \p P.
ServiceLevels serviceLevels(const MemoryAccess &A, const AccessProfile &P);

/// Traffic of one request of \p P.
AccessTraffic accessTraffic(const MemoryAccess &A, const AccessProfile &P,
                            double SectorBytes);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_WARPTRAFFIC_H
