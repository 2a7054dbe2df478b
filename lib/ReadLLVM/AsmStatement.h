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
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// A statement without labels, comments and the braces around it.
struct AsmStatement {
  /// "@p" or "@!p"; empty if it is always executed.
  llvm::StringRef Guard;
  /// Empty where there is none, as in a declaration.
  llvm::StringRef Mnemonic;
  /// What follows the mnemonic.
  llvm::StringRef Operands;
};

/// Takes \p Statement apart.
AsmStatement parseAsmStatement(llvm::StringRef Statement);

/// The parts of \p Mnemonic between its dots.
llvm::SmallVector<llvm::StringRef, 12> mnemonicWords(llvm::StringRef Mnemonic);

/// The special register that lane analysis knows and \p Text reads.
SpecialReg registerOfAsm(llvm::StringRef Text);

/// Does \p Statement read a special register, known to lane analysis or not?
bool readsSpecialRegister(llvm::StringRef Statement);

/// Does \p Text close or await a group of asynchronous work?
bool waitsForGroups(llvm::StringRef Text);

/// Does \p Statement make one register of two different halves, "mov.b32 $0,
/// {a, b}"? A half that is taken twice is read in place by what computes with
/// pairs of halves.
bool packsHalves(llvm::StringRef Statement);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_ASMSTATEMENT_H
