//===- Requests.cpp - Accesses of a walk as requests ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Requests.h"
#include "Walk/LaunchInputs.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;

RequestAddresses gpuocc::requestAddresses(const AccessEvent &E,
                                          unsigned BytesPerLane) {
  RequestAddresses R;
  R.Active = E.Active;
  R.BytesPerLane = std::max(1u, BytesPerLane);
  for (unsigned L = 0; L < WarpLanes; ++L)
    R.Address[L] = E.Address->lane(L) + uint64_t(E.OffsetBytes);
  return R;
}

MemorySpace gpuocc::resolvedSpace(MemorySpace Declared,
                                  const RequestAddresses &R) {
  if (Declared != MemorySpace::Generic || !R.Active)
    return Declared;
  switch (R.Address[unsigned(std::countr_zero(R.Active))] >> ObjectWindowLog2) {
  case 1:
    return MemorySpace::Shared;
  case 2:
    return MemorySpace::Local;
  default:
    return MemorySpace::Global;
  }
}
