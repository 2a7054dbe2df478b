//===- JumpingPlaces.h - Loops whose turns go to other places ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_JUMPINGPLACES_H
#define GPUOCC_LIB_LANES_SLICE_JUMPINGPLACES_H

#include <cstdint>

namespace gpuocc {

struct KernelFacts;
struct Slice;

/// Does an access of \p Loop to global memory go to places that do not move on
/// evenly: by what the loop loads, or by quotients, remainders and bits of what
/// it counts? Then turns that were walked do not tell where others go.
bool hasJumpingPlaces(const KernelFacts &Facts, const Slice &S, uint32_t Loop);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_JUMPINGPLACES_H
