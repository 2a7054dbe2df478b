//===- AsmStatement.h - Statements of inline assembly -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text between the semicolons of inline PTX.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_ASMSTATEMENT_H
#define GPUOCC_LIB_READLLVM_ASMSTATEMENT_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The mnemonic of \p Statement without labels, braces and guard; empty where
/// it has none, as a declaration.
llvm::StringRef asmMnemonic(llvm::StringRef Statement);

/// The special register that lane analysis knows and \p Text reads.
SpecialReg registerOfAsm(llvm::StringRef Text);

/// Does \p Statement read a special register, known to lane analysis or not?
bool readsSpecialRegister(llvm::StringRef Statement);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_ASMSTATEMENT_H
