//===- AsmAccess.h - Memory operands of inline assembly ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_ASMACCESS_H
#define GPUOCC_LIB_READLLVM_ASMACCESS_H

#include "AccessReader.h"
#include "PlacedAccess.h"
#include <optional>

namespace gpuocc {

/// Decodes inline assembly that is one load, store, atomic or async copy, or
/// one access to rows of matrices. Nothing for what has a guard, several
/// statements, or addresses that are no operand.
std::optional<DecodedAccess> decodeAsmAccess(const llvm::MachineInstr &MI);

/// What the inline assembly \p MI copies or fetches, if it is that alone.
std::optional<PlacedAccess> placedAccessOf(const llvm::MachineInstr &MI);

/// The machine operand that `$Index` stands for at the begin of \p Text.
std::optional<unsigned> asmOperandAt(const llvm::MachineInstr &MI,
                                     llvm::StringRef Text);

/// The machine operand that `$Index` stands for in the text of \p MI.
std::optional<unsigned> asmOperand(const llvm::MachineInstr &MI,
                                   unsigned Index);

/// A number in the text of the inline assembly \p MI: "16", or "$2" for an
/// immediate operand of it.
std::optional<int64_t> asmNumber(const llvm::MachineInstr &MI,
                                 llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_ASMACCESS_H
