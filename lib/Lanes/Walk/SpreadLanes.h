//===- SpreadLanes.h - A value as an array of lanes -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_SPREADLANES_H
#define GPUOCC_LIB_LANES_WALK_SPREADLANES_H

#include "Walk/LaneValue.h"
#include <algorithm>

namespace gpuocc {

/// The first lanes of a value, spread to an array when they are all the same,
/// so that a loop over lanes has no branch. The value must outlive this.
class SpreadLanes {
public:
  explicit SpreadLanes(const LaneValue &Value, unsigned NumLanes = WarpLanes)
      : Lanes(Value.Uniform ? Spread.data() : Value.V.data()) {
    if (Value.Uniform)
      std::fill_n(Spread.begin(), NumLanes, Value.V[0]);
  }
  SpreadLanes(const SpreadLanes &) = delete;
  SpreadLanes &operator=(const SpreadLanes &) = delete;

  uint64_t operator[](unsigned Lane) const { return Lanes[Lane]; }

private:
  alignas(32) LaneArray Spread;
  const uint64_t *Lanes;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_SPREADLANES_H
