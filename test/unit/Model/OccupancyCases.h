//===- OccupancyCases.h - Configurations to compare occupancy on -*- C++ -*-==//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_MODEL_OCCUPANCYCASES_H
#define GPUOCC_TEST_UNIT_MODEL_OCCUPANCYCASES_H

#include "gpuocc/Model/Occupancy.h"
#include <random>
#include <string>

namespace gpuocc {

/// A configuration drawn from \p Random: whole range of each resource, with
/// the multiples and borders where rounding decides drawn often.
BlockResources randomBlock(const ArchLimits &Limits, std::mt19937_64 &Random);

/// "sm_90,256,40,4096,0,1,,1": architecture, threads, registers, static and
/// dynamic bytes, barriers, carve-out in percent or nothing, opt-in.
std::string inputFields(const ArchLimits &Limits, const BlockResources &Block);

/// "8,8,32,,57,64": blocks per SM, then what warps, blocks, registers, shared
/// memory and barriers allow; nothing where a resource sets no bound.
std::string resultFields(const Occupancy &O);

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_MODEL_OCCUPANCYCASES_H
