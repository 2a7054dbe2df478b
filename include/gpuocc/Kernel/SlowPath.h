//===- SlowPath.h - Slow paths of divisions and roots -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Divisions, reciprocals and square roots of full precision test their
/// operands and call a function of the assembler's own where the short code
/// would not round right: for zeros, denormals, infinities and what comes near.
/// Divisions of 64-bit integers do where an operand has more than 32 bits. A
/// warp calls it where one of its lanes does.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_SLOWPATH_H
#define GPUOCC_KERNEL_SLOWPATH_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

struct ExecutionProfile;
struct KernelFacts;

/// Is \p Op one of these?
bool mayTakeSlowPath(const Operation &Op);

/// Does a lane take it whose operands have the bits \p A and \p B? \p What is
/// FDiv, FRcp or FSqrt (which have one operand), of \p Bits 32 or 64, or an
/// integer division or remainder of 64.
///
/// Source: what ptxas 13.0 tests (nvdisasm), and launches with such operands on
/// an H200 (2026-11-28).
bool takesSlowPath(Semantics What, unsigned Bits, uint64_t A, uint64_t B);

/// What a warp that takes it issues beside the short code; empty for integers,
/// whose short code issues none of it.
llvm::ArrayRef<Emission> slowPathOf(Semantics What, unsigned Bits);

/// Makes the operations of \p Facts issue what slow and short paths do, as
/// often as \p Profile has warps there.
void addSlowPaths(const ExecutionProfile &Profile, KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_SLOWPATH_H
