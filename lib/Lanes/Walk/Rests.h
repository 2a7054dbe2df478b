//===- Rests.h - What a result rests on -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_RESTS_H
#define GPUOCC_LIB_LANES_WALK_RESTS_H

#include "Slice/Slice.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// What a value rests on, apart from the value: see LaneValue. Align is 63 for
/// values that rest on nothing.
struct Rests {
  TaintMask Base = 0, Shape = 0;
  unsigned Align = 63;
};

/// What result \p ResultIndex of \p Op rests on: a row of Semantics.def that
/// evaluateLanes() computes and that is no floating-point row.
Rests restsOf(const SliceOp &Op, unsigned ResultIndex,
              llvm::ArrayRef<const LaneValue *> Operands);

/// What a result rests on when its form is not followed.
Rests mixed(llvm::ArrayRef<const LaneValue *> Operands);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_RESTS_H
