//===- Spills.h - Accesses that spill registers ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_SPILLS_H
#define GPUOCC_KERNEL_SPILLS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

struct KernelFacts;
struct MemoryAccess;

/// The symbol of local memory that holds spilled registers; no source can
/// declare it.
constexpr llvm::StringLiteral SpillSymbol = "(spilled registers)";

/// True if \p A stores or loads a spilled register.
bool isSpill(const KernelFacts &Facts, const MemoryAccess &A);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_SPILLS_H
