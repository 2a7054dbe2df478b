//===- FloatOps.h - Evaluate floating-point operations ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_FLOATOPS_H
#define GPUOCC_LIB_LANES_WALK_FLOATOPS_H

#include "Slice/Slice.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Evaluates \p Op, a floating-point row of Semantics.def, in the first
/// \p NumLanes lanes; operands and results are bit patterns. Approximate
/// functions are evaluated as the exact ones, rounded once.
///
/// Returns true when the hardware gives exactly that: the operation is no
/// approximation, or its operands are among those for which approximations are
/// exact (whole exponents, powers of two).
bool evaluateFloats(const SliceOp &Op,
                    llvm::ArrayRef<const LaneValue *> Operands,
                    unsigned NumLanes, LaneArray &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_FLOATOPS_H
