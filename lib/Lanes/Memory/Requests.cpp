//===- Requests.cpp - Accesses of a walk as requests ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Requests.h"
#include "Walk/LaunchInputs.h"
#include "gpuocc/Kernel/Coordinates.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;

static_assert(CoordinateBits == ObjectWindowLog2);

RequestAddresses gpuocc::requestAddresses(const AccessEvent &E,
                                          unsigned BytesPerLane) {
  RequestAddresses R;
  R.Active = E.Active;
  R.BytesPerLane = std::max(1u, BytesPerLane);
  for (unsigned L = 0; L < WarpLanes; ++L)
    R.Address[L] = E.Address->lane(L) + uint64_t(E.OffsetBytes);
  return R;
}

/// The first byte of the tile at \p Place: one of many, as likely as others, so
/// that tiles do not meet.
static uint64_t scattered(uint64_t Place) {
  // Fibonacci hashing (Knuth 1973, The Art of Computer Programming 3, 6.4).
  constexpr uint64_t GoldenRatio = 0x9e3779b97f4a7c15;
  constexpr uint64_t TileAlignBytes = 128;
  const uint64_t Object = Place >> CoordinateBits << CoordinateBits;
  const uint64_t Mixed = Place * GoldenRatio >> (64 - CoordinateBits);
  return Object | (Mixed & ~(TileAlignBytes - 1));
}

RequestAddresses gpuocc::requestAddresses(const AccessEvent &E,
                                          const MemoryAccess &M) {
  RequestAddresses R = requestAddresses(E, M.BytesPerLane);
  R.Active &= LaneMask(lowBits(M.AddressLanes));
  if (M.Bulk && M.Rank != 0)
    for (uint64_t &Address : R.Address)
      Address = scattered(Address);
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
