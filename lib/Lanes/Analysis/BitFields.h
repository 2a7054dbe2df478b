//===- BitFields.h - Loaded values that are taken apart ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_BITFIELDS_H
#define GPUOCC_LIB_LANES_ANALYSIS_BITFIELDS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// The loads, parallel to KernelFacts::Operations, of whose values fields of up
/// to 16 bits are cut out further up (`(Key >> 24) & 255`). They are keys or
/// packed fields and may have any bit set, where other loaded numbers are taken
/// for indices of elements that threads work on.
std::vector<bool> findBitFields(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_BITFIELDS_H
