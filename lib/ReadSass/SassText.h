//===- SassText.h - Operands of machine instructions ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_SASSTEXT_H
#define GPUOCC_LIB_READSASS_SASSTEXT_H

#include "RegisterUse.h"
#include <optional>

namespace gpuocc {

/// An operand as the disassembler prints it.
struct SassOperand {
  enum class Kind {
    Register,
    Predicate,
    Immediate,
    /// A number with a fraction.
    Real,
    /// c[Bank][Offset], with an index where there is a register.
    Constant,
    /// Memory: Terms and Offset.
    Address,
    /// SR_TID.X and the like: Text.
    Special,
    /// A label, a place of a descriptor, ...
    Other
  };
  /// A register of an address.
  struct Term {
    RegisterId First = 0;
    bool IsPair = false, IsUnsigned32 = false, IsUniform = false;
    unsigned Scale = 1;
  };
  Kind K = Kind::Other;
  llvm::StringRef Text;
  /// Written with "-", "~" or "!", and between bars.
  bool IsNegated = false, IsInverted = false, IsAbsolute = false;
  RegisterId First = 0;
  /// RZ, URZ, PT and UPT; RZ.
  bool IsConstant = false;
  bool IsPair = false;
  int64_t Imm = 0;
  double Real = 0;
  unsigned Bank = 0;
  int64_t Offset = 0;
  llvm::SmallVector<Term, 2> Terms;

  /// A register that holds nothing but zeros, or the number 0.
  bool isZero() const {
    return (K == Kind::Register && IsConstant) ||
           (K == Kind::Immediate && Imm == 0);
  }
};

/// Reads the operand \p Text.
SassOperand parseSassOperand(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_SASSTEXT_H
