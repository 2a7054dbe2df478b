//===- LoopCopies.h - Iterations that are scheduled as one ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H
#define GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H

#include <cstdint>
#include <optional>

namespace gpuocc {

struct AccessProfile;
struct ExecutionProfile;
struct KernelFacts;
struct MemoryAccess;

/// Copies of the body \p Block of an unrolled loop that an assembler schedules
/// together; 1 for any other block.
///
/// Loads of an unrolled body move up over its copies as long as there are
/// registers for their data, beside two for each pointer that the loop carries
/// and what else it needs; an address takes those of the data that it leads to.
/// Loads of which some find in L1 what an earlier one brought, and whose lines
/// data choose, count no uniform pointers: a mean of their waits is known, not
/// the longest.
///
/// What does not fit is loaded behind the first data, in a batch of its own,
/// and waits anew.
///
/// Source: machine code that ptxas 13.0 makes of loops that sum in 29 or 30
/// registers (sm_90), unrolled by 16: one strided array is loaded in a batch of
/// 16, as are indices and what they lead to; one of 8 bytes an element, and two
/// arrays, in 2; one of 16 bytes, and three arrays, in 4; four in 6. In kernels
/// that take all 255 registers, loads of later copies stay where they are.
unsigned copiesOfBody(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      uint32_t Block);

/// \p P of \p Access for each of \p Copies iterations that issue it together:
/// they wait where one of them would, and for DRAM where one of them would.
/// Nothing changes where loaded indices lead each of them elsewhere, or where
/// each waits for what is written before it.
AccessProfile inPassOf(unsigned Copies, const KernelFacts &Facts,
                       uint32_t Access, const AccessProfile &P);

/// Bytes by which the address of \p A moves in an iteration of its loop, where
/// it is a pointer that a number is added to.
std::optional<int64_t> stepOf(const KernelFacts &Facts, const MemoryAccess &A);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LOOPCOPIES_H
