//===- LoopCopies.h - Iterations that are scheduled as one ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H
#define GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H

#include <cstdint>

namespace gpuocc {

struct ExecutionProfile;
struct KernelFacts;

/// Copies of the body \p Block of an unrolled loop that an assembler schedules
/// together; 1 for any other block.
///
/// Loads of an unrolled body move up over its copies as long as there are
/// registers: each takes those of its data and of its address, unless that is
/// the same for all lanes and waits in a uniform register. Loads of which some
/// find in L1 what an earlier one brought count theirs all the same: a mean of
/// their waits is known, not the longest.
///
/// Source: machine code that ptxas 13.0 makes of loops that sum (sm_90): 8 to
/// 10 gathers before the first addition in 32 registers, 4 strided ones in 18,
/// 16 whose address is the same for all lanes in 28;
/// in kernels that take all 255, loads of later copies stay where they are.
unsigned copiesOfBody(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      uint32_t Block);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H
