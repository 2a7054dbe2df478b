//===- LaneOps.h - Evaluate one operation in 32 lanes ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LANEOPS_H
#define GPUOCC_LIB_LANES_WALK_LANEOPS_H

#include "Slice/Slice.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Computes result \p ResultIndex of \p Op (any row of Semantics.def that has
/// operands, except Phi and Load) into \p Out, with what it rests on. Warp-wide
/// operations see the lanes \p Active. Division by zero gives all ones.
void evaluateLanes(const SliceOp &Op, unsigned ResultIndex,
                   llvm::ArrayRef<const LaneValue *> Operands, LaneMask Active,
                   LaneValue &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LANEOPS_H
