//===- FloatOps.h - Evaluate floating-point operations ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_FLOATOPS_H
#define GPUOCC_LIB_LANES_WALK_FLOATOPS_H

#include "Slice/Slice.h"

namespace gpuocc {

/// One lane of \p Op, a floating-point row of Semantics.def; operands and
/// result are bit patterns. Approximate functions are evaluated as the exact
/// ones, rounded once.
uint64_t evaluateFloat(const SliceOp &Op, uint64_t A, uint64_t B, uint64_t C);

/// True when the hardware gives exactly what evaluateFloat() gives: the
/// operation is no approximation, or its operands are among those for which
/// approximations are exact (whole exponents, powers of two).
bool isExactlyEvaluated(const SliceOp &Op, uint64_t A, uint64_t B);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_FLOATOPS_H
