//===- LinearStretch.h - How long values stay linear ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LINEARSTRETCH_H
#define GPUOCC_LIB_LANES_WALK_LINEARSTRETCH_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// A value of one lane, and by how much it grows in each iteration.
struct LinearValue {
  uint64_t Now = 0;
  /// Modulo the width of the value.
  uint64_t Step = 0;
};

/// An operation of integers.
struct LinearOp {
  Semantics What = Semantics::Opaque;
  uint8_t Bits = 32;
  /// Of extensions: the width of the operand.
  uint8_t FromBits = 32;
  ComparePredicate Compare = ComparePredicate::Other;
};

/// Stands for any number of iterations.
constexpr uint64_t EndlessStretch = ~uint64_t(0);

/// Further iterations in which the result of \p Op is linear if \p Operands
/// are: the quotient of a division, the outcome of a comparison, and the signs
/// of all numbers stay what they are. \p Result: what was computed in this
/// iteration, and the difference to the one before.
///
/// \returns 0 where that cannot be told.
uint64_t linearStretch(const LinearOp &Op, llvm::ArrayRef<LinearValue> Operands,
                       const LinearValue &Result);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LINEARSTRETCH_H
