//===- RegisterValues.h - Values that take registers ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSEMBLER_REGISTERVALUES_H
#define GPUOCC_LIB_ASSEMBLER_REGISTERVALUES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace gpuocc {

/// Names of values. Those of the kernel are numbered by operation and result;
/// behind them come values that exist in one pass over a block only.
using ValueSet = llvm::SmallVector<uint32_t, 2>;

/// What the assembler does about registers.
enum class RegisterUse : uint8_t {
  /// Values are in the registers of the threads, where their users are.
  AtEase,
  /// Integers that are the same for all lanes are kept in the uniform registers
  /// or computed again at each use, and so are sums with constants.
  Thrifty
};

/// The values of a kernel and the 32-bit registers that each takes.
///
/// What emits no instruction is read from its operands in registers (folded
/// address arithmetic, halves of wide values). Predicates, parameters (constant
/// operands) and addresses of symbols take no register.
class RegisterValues {
public:
  RegisterValues(const KernelFacts &Facts, RegisterUse Use);

  /// Number of values.
  uint32_t size() const { return uint32_t(Words.size()); }
  unsigned words(uint32_t Value) const { return Words[Value]; }
  uint32_t firstOf(uint32_t Op) const { return First[Op]; }
  uint32_t endOf(uint32_t Op) const { return First[Op + 1]; }
  /// The operation that \p Value is a result of.
  uint32_t operationOf(uint32_t Value) const;

  /// True for a parameter, or a member of one that is passed by value: an
  /// operand of its users.
  bool isParameter(uint32_t Op) const;

  /// True if \p Op writes registers of its own.
  bool isWritten(uint32_t Op) const;

  /// Adds the values in registers that \p O is read from to \p Out.
  void appendTo(const Operand &O, ValueSet &Out);

private:
  const KernelFacts &Facts;
  std::vector<uint32_t> First;
  std::vector<uint8_t> Words;
  /// By operation: whether the upper half of a wide result is used.
  std::vector<bool> IsWide;
  /// By operation: computed again where it is used; empty when none is.
  std::vector<bool> IsRemade;
  /// Of operations that are not written, once known.
  std::vector<bool> IsKnown;
  std::vector<ValueSet> ReadFrom;

  std::vector<bool> sumsOfOtherBlocks();
  void weigh(uint32_t Op);
  bool weighPhi(uint32_t Op);
  const ValueSet &readFrom(uint32_t Op);
};

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSEMBLER_REGISTERVALUES_H
