//===- Geometry.h - What lane evaluation needs of a device -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_GEOMETRY_H
#define GPUOCC_LIB_ASSESS_GEOMETRY_H

#include "gpuocc/Lanes/ProfileLanes.h"
#include <string>
#include <vector>

namespace gpuocc {

struct DeviceModel;
struct KernelFacts;

/// Sectors, lines, banks and caches of \p Device, with \p BlocksPerSm blocks
/// resident.
MemoryGeometry geometryOf(const DeviceModel &Device, unsigned BlocksPerSm);

/// Numbers that geometryOf \p Device takes from elsewhere and that accesses of
/// \p Facts are folded with, as Prediction::Borrowed has them.
std::vector<std::string> borrowedForGeometry(const DeviceModel &Device,
                                             const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_GEOMETRY_H
