//===- QueuedCalls.h - Calls that wait for one another ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_QUEUEDCALLS_H
#define GPUOCC_LIB_MODEL_NUMBERS_QUEUEDCALLS_H

namespace gpuocc {

struct BlockProfile;
struct Operation;
class Numbers;

/// Cycles for which a warp that executes \p Op keeps the warps of all SMs from
/// the functions of the runtime that it calls (device printf, malloc, free):
/// each has one queue a GPU. 0 where \p Op calls none, or nothing was measured.
///
///   sum over functions of calls * (warp + (lanes - 1) * lane)
///
/// with the active lanes of \p Block, which holds \p Op.
///
/// Source: Quantity::PrintfQueue and its neighbours.
double queueCycles(const Operation &Op, const BlockProfile &Block, Numbers &N);

/// Cycles that the calls of \p Op take longer than those of a warp with one
/// active lane.
double furtherLanesCycles(const Operation &Op, const BlockProfile &Block,
                          Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_QUEUEDCALLS_H
