//===- RegisterBits.h - Numbers of some bits --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_REGISTERBITS_H
#define GPUOCC_LIB_LANES_ANALYSIS_REGISTERBITS_H

#include <cstdint>

namespace gpuocc {

/// The low \p Bits bits.
inline uint64_t lowBits(unsigned Bits) {
  return Bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
}

/// \p V, \p Bits wide, as a signed number.
inline int64_t signExtend(uint64_t V, unsigned Bits) {
  if (Bits >= 64 || Bits == 0)
    return int64_t(V);
  unsigned Shift = 64 - Bits;
  return int64_t(V << Shift) >> Shift;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_REGISTERBITS_H
