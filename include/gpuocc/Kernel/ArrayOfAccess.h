//===- ArrayOfAccess.h - The array that an access touches -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_ARRAYOFACCESS_H
#define GPUOCC_KERNEL_ARRAYOFACCESS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <optional>

namespace gpuocc {

/// May memory of \p Space be an array that a launch is given?
bool isInArrays(MemorySpace Space);

/// The offset in parameter memory of the address that the one of \p A is made
/// of by adding and choosing; nothing where that are several, or none, and for
/// other memory.
std::optional<uint64_t> arrayOfAccess(const KernelFacts &Facts,
                                      const MemoryAccess &A);

/// The index of the parameter whose bytes \p A loads from a place that is
/// computed: a structure that is passed by value, whose arrays are indexed.
/// Nothing where that may be several, and for other memory.
std::optional<unsigned> structOfAccess(const KernelFacts &Facts,
                                       const MemoryAccess &A);

/// True if \p Index is computed from a loaded value. What comparisons of loaded
/// values only choose between, as in a bisection, is not.
bool isLoadedIndex(const KernelFacts &Facts, const Operand &Index);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_ARRAYOFACCESS_H
