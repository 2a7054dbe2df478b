//===- Geometry.h - What lane evaluation needs of a device -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_GEOMETRY_H
#define GPUOCC_LIB_ASSESS_GEOMETRY_H

#include "gpuocc/Lanes/ProfileLanes.h"

namespace gpuocc {

struct DeviceModel;

/// Sectors, lines and caches of \p Device, with \p BlocksPerSm blocks resident.
MemoryGeometry geometryOf(const DeviceModel &Device, unsigned BlocksPerSm);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_GEOMETRY_H
