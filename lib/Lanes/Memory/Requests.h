//===- Requests.h - Accesses of a walk as requests -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_REQUESTS_H
#define GPUOCC_LIB_LANES_MEMORY_REQUESTS_H

#include "Memory/Folding.h"
#include "Walk/WalkEvents.h"

namespace gpuocc {

/// The address of \p E, a request of \p M, in each lane, and the space it lies
/// in. Tiles of tensors lie apart, wherever they are.
RequestAddresses requestAddresses(const AccessEvent &E, const MemoryAccess &M);
RequestAddresses requestAddresses(const AccessEvent &E, unsigned BytesPerLane);
MemorySpace resolvedSpace(MemorySpace Declared, const RequestAddresses &R);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_REQUESTS_H
