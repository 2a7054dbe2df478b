//===- SpillCode.h - Loads and stores of spilled registers ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An assembler says how many bytes it spills, not where. Here the code of a
/// kernel gets the stores and loads that such an assembler most likely wrote,
/// so that everything downstream evaluates and prices them like other accesses.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_ASSEMBLER_SPILLCODE_H
#define GPUOCC_ASSEMBLER_SPILLCODE_H

#include "gpuocc/Kernel/Spills.h"
#include <cstdint>

namespace gpuocc {

struct KernelFacts;

/// \p Facts, a MIR view, with code for the bytes that its Resources say are
/// spilled. The values are some of those alive where most registers are, the
/// cheapest first: an execution counts ten times as much in each loop around it
/// (Chaitin 1982, "Register Allocation & Spilling via Graph Coloring"). Each is
/// stored where it is made and loaded again, a copy through local memory, in
/// each block that uses it behind that place. Constants and special registers
/// are not spilled: they are made again.
///
/// Without spills, and in code that has been assembled, \p Facts unchanged.
KernelFacts withSpillCode(const KernelFacts &Facts);

/// Bytes per thread, in the code, of the stores and loads that withSpillCode
/// wrote.
struct SpilledBytes {
  uint64_t Stored = 0, Loaded = 0;
};
SpilledBytes spilledBytes(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_ASSEMBLER_SPILLCODE_H
