//===- MachineNames.h - Names of the backend --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_MACHINENAMES_H
#define GPUOCC_LIB_READLLVM_MACHINENAMES_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpuocc {

/// The register that the machine instruction \p Name reads
/// ("INT_PTX_SREG_TID_x").
SpecialReg specialRegister(llvm::StringRef Name);

/// How the machine instruction \p Name moves its operand ("shfl.sync.up...").
ShuffleKind shuffleKind(llvm::StringRef Name);

/// NVPTX::PTXCmpMode of a comparison of integers; the ...U modes are unsigned.
ComparePredicate comparePredicate(int64_t Mode);

/// What a comparison of floating-point numbers asks for.
struct FloatPredicate {
  ComparePredicate Ordered = ComparePredicate::Other;
  /// Holds too if one of the two is NaN.
  bool HoldsForNaN = false;
};

/// NVPTX::PTXCmpMode of a floating-point comparison. The ...U modes also hold
/// for NaN; Other asks for nothing else.
FloatPredicate floatPredicate(int64_t Mode);

/// NVPTX::PTXCvtMode; nothing for the modes that are not evaluated (other
/// roundings than to nearest, saturation).
std::optional<IntegerRounding> integerRounding(int64_t Mode);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_MACHINENAMES_H
