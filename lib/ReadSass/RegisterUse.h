//===- RegisterUse.h - Registers an instruction uses ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_REGISTERUSE_H
#define GPUOCC_LIB_READSASS_REGISTERUSE_H

#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/SassOpcode.h"
#include <cstdint>
#include <optional>

namespace gpuocc {

/// A register of any file: general, uniform and both kinds of predicates.
using RegisterId = uint16_t;
/// Behind those of the machine: what one instruction computes in between.
constexpr RegisterId FirstTemporary = 256 + 64 + 8 + 8;
constexpr RegisterId NumRegisterIds = FirstTemporary + 64;

/// A register as an operand names it.
struct NamedRegister {
  RegisterId First = 0;
  /// True for RZ, URZ, PT and UPT.
  bool IsConstant = false;
  bool IsPredicate = false;
  bool IsUniform = false;
  /// Written as R4.64.
  bool IsPair = false;
};

/// The register at the start of \p Text, which loses it.
std::optional<NamedRegister> takeRegister(llvm::StringRef &Text);

/// True for registers that hold one bit.
bool isPredicateRegister(RegisterId R);

/// What an instruction reads and writes. Registers that are always zero or
/// always true are left out.
struct RegisterUse {
  llvm::SmallVector<RegisterId, 2> Writes;
  llvm::SmallVector<RegisterId, 6> Reads;
  /// First register of the address of a memory access, if it has one.
  int AddressRegister = -1;
  /// Of a copy to shared memory: that of the other side.
  int SharedAddressRegister = -1;
  int64_t SharedOffsetBytes = 0;
  int64_t OffsetBytes = 0;
  /// The register that guards the instruction; -1 if none does.
  int Guard = -1;
  /// The operation has its operands already; of values, Operand::Index is a
  /// place in Reads.
  bool HasOperands = false;
};

/// Reads the operands of \p I, whose row is \p Row.
RegisterUse registerUse(const SassInstruction &I, const SassOpcode &Row);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_REGISTERUSE_H
