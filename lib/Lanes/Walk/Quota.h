//===- Quota.h - Deals out what happens in a share --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_QUOTA_H
#define GPUOCC_LIB_LANES_WALK_QUOTA_H

#include "Walk/LaneValue.h"

namespace gpuocc {

/// Deals out the executions in which something holds that holds in a share of
/// them: evenly, and the same in every walk.
class Quota {
public:
  /// Whether it holds in this execution, if it does in \p Share of them.
  bool take(double Share) {
    Owed += Share;
    if (Owed < 1)
      return false;
    Owed -= 1;
    return true;
  }

  /// The lanes of \p Mask in which it holds, which take turns.
  LaneMask takeLanes(double Share, LaneMask Mask) {
    LaneMask Taken = 0;
    for (LaneMask Left = Mask; Left; Left &= Left - 1)
      if (take(Share))
        Taken |= Left & (0 - Left);
    return Taken;
  }

private:
  /// Half an execution rounds to the nearest.
  double Owed = 0.5;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_QUOTA_H
