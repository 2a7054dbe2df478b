//===- UpperHalves.h - Which halves of wide values are needed ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compilers compute addresses in 64 bits; what only indexes a window of 32
/// bits needs half of that.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_UPPERHALVES_H
#define GPUOCC_KERNEL_UPPERHALVES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// True for 64-bit operations whose lower half depends on the lower halves of
/// their operands alone.
bool carriesUpwards(Semantics S);

/// For each operation of \p Facts, whether anybody uses the upper half of its
/// result. Addresses in shared, local, constant and parameter memory have 32
/// bits (ptxas 13.0: LDS, LDL and LDC take one register, whatever the width of
/// the pointer in PTX).
std::vector<bool> upperHalvesUsed(const KernelFacts &Facts);

/// For each operation of \p Facts, whether its result has 64 bits of which the
/// upper half is zero as the code says: an index that was 32 bits wide, say.
std::vector<bool> upperHalvesZero(const KernelFacts &Facts);

/// Whether the upper half of \p O, an operand of 64 bits, is zero; \p Zero is
/// what upperHalvesZero() says of its kernel.
bool isUpperHalfZero(const Operand &O, const std::vector<bool> &Zero);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_UPPERHALVES_H
