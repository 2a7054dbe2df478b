//===- Copies.h - Values behind copies of them ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_COPIES_H
#define GPUOCC_KERNEL_COPIES_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// True if \p Op hands its only operand on, whatever the width: a copy, an
/// extension or a truncation.
bool passesOn(const Operation &Op);

/// What \p O is behind copies of equal width.
Operand behindCopies(const KernelFacts &Facts, Operand O);

/// What \p O is behind copies and changes of width.
Operand behindWidths(const KernelFacts &Facts, Operand O);

/// True if what \p O is behind copies is not computed in \p L.
bool isSetOutside(const KernelFacts &Facts, const Loop &L, Operand O);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_COPIES_H
