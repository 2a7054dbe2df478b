//===- Values.h - Registers to values ---------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_VALUES_H
#define GPUOCC_LIB_READSASS_VALUES_H

#include "RegisterUse.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// What the registers of the operations of one block are.
using BlockUses = std::vector<RegisterUse>;

/// Puts the operations of \p Facts, whose registers are in \p Uses (one for
/// each operation, by block), into SSA form: fills their operands and guards,
/// and the bases of accesses and conditions of branches; adds phis at the
/// starts of blocks and moves the indices of operations accordingly.
void assignValues(KernelFacts &Facts, const std::vector<BlockUses> &Uses);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_VALUES_H
