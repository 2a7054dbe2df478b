//===- LoadedPlaces.h - Loads from where data lead -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_LOADEDPLACES_H
#define GPUOCC_KERNEL_LOADEDPLACES_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Share of the sectors, or requests, of a kernel from which on it is said that
/// data choose their places.
inline constexpr double NamedPlacesShare = 0.05;

/// \p A is a load that goes where a loaded pointer or index leads, which nobody
/// knows: not even among how many places, or its lanes reach more than those.
/// It is priced as if each lane read a sector of its own that L1 does not have.
inline bool goesWhereDataLead(const MemoryAccess &A, const AccessProfile &P) {
  return A.Kind == AccessKind::Load && A.Space != MemorySpace::Shared &&
         A.Space != MemorySpace::Constant && P.RequestsPerWarp > 0 &&
         P.Exact == Exactness::DataDependent && !P.IsInOrder &&
         (!P.DrawnAddresses ||
          *P.DrawnAddresses < P.DistinctAddressesPerRequest);
}

} // namespace gpuocc

#endif // GPUOCC_KERNEL_LOADEDPLACES_H
