//===- WarpOperation.h - What lanes of a warp do together -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_WARPOPERATION_H
#define GPUOCC_LIB_EXECUTE_WARPOPERATION_H

#include "State.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc::execute {

/// Operations that lanes answer together. Generated code has them as numbers.
enum class WarpOperation : uint32_t {
#define WARP_OPERATION(Enum, Intrinsic) Enum,
#include "WarpOperations.def"
};

/// What a lane brings, and what it gets.
struct WarpRequest {
  WarpOperation Operation;
  /// The lanes that meet.
  uint32_t Mask;
  uint64_t Value;
  /// The last two operands of a shuffle, as PTX has them, and WithoutMask.
  uint32_t Source, Clamp;
  /// The place in the code that asks.
  uint32_t Site;
  /// The result, of 32 bits; above it the predicate of shuffles and matches.
  uint64_t Answer;

  /// In Clamp: those lanes meet that come to the same place.
  static constexpr uint32_t WithoutMask = uint32_t(1) << 31;
};

/// Gives the lanes of \p Members, which have all asked for the same operation,
/// their answers. \p Lanes has the requests of the 32 lanes of the warp.
///
/// Source: the PTX ISA's instructions shfl.sync, vote.sync, match.sync,
/// redux.sync and activemask.
void answer(uint32_t Members, llvm::MutableArrayRef<WarpRequest *> Lanes);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_WARPOPERATION_H
