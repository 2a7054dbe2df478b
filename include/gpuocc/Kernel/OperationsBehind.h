//===- OperationsBehind.h - What a value is computed from -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_OPERATIONSBEHIND_H
#define GPUOCC_KERNEL_OPERATIONSBEHIND_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Calls \p Follow once for each operation that \p Of is computed from, its own
/// one included, through the operands that it returned for those before.
void walkBehind(
    const KernelFacts &Facts, const Operand &Of,
    llvm::function_ref<llvm::ArrayRef<Operand>(const Operation &)> Follow);

/// Whether \p Is holds for an operation that \p Of is computed from, its own
/// one included. What memory holds is not followed: loads are not asked.
bool anyOperationBehind(const KernelFacts &Facts, const Operand &Of,
                        llvm::function_ref<bool(const Operation &)> Is);

/// Does an operation of the kernel read \p R?
bool readsRegister(const KernelFacts &Facts, SpecialReg R);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_OPERATIONSBEHIND_H
