//===- ProbedTables.h - Loops that look for a place in a table --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Hash tables with open addressing: a place that another key holds leads to
/// the next one, and behind the last one to the first.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_PROBEDTABLES_H
#define GPUOCC_KERNEL_PROBEDTABLES_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// What a loop looks for in a table.
enum class TableProbe : uint8_t {
  /// It looks for nothing in a table.
  None,
  /// A key, or a place that nobody has taken.
  Find,
  /// A place to take, by a compare-and-swap.
  Insert
};

/// What \p L looks for: an exit asks for what a load or compare-and-swap of the
/// loop found, whose address goes on from turn to turn and wraps around, by a
/// mask or a remainder.
TableProbe tableProbe(const KernelFacts &Facts, const Loop &L);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_PROBEDTABLES_H
