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

namespace gpuocc {

/// A register of any file: general, uniform and both kinds of predicates.
using RegisterId = uint16_t;
constexpr RegisterId NumRegisterIds = 256 + 64 + 8 + 8;

/// True for registers that hold one bit.
bool isPredicateRegister(RegisterId R);

/// What an instruction reads and writes. Registers that are always zero or
/// always true are left out.
struct RegisterUse {
  llvm::SmallVector<RegisterId, 2> Writes;
  llvm::SmallVector<RegisterId, 6> Reads;
  /// First register of the address of a memory access, if it has one.
  int AddressRegister = -1;
  int64_t OffsetBytes = 0;
  /// The register that guards the instruction; -1 if none does.
  int Guard = -1;
};

/// Reads the operands of \p I, whose row is \p Row.
RegisterUse registerUse(const SassInstruction &I, const SassOpcode &Row);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_REGISTERUSE_H
