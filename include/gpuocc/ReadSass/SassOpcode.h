//===- SassOpcode.h - What an opcode of the disassembler is -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READSASS_SASSOPCODE_H
#define GPUOCC_READSASS_SASSOPCODE_H

#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// What the operands of an instruction are.
enum class SassForm : uint8_t {
  Compute,
  NoResult,
  Load,
  Store,
  Atomic,
  Reduction,
  AsyncCopy
};

/// A row of SassOpcode.def.
struct SassOpcode {
  llvm::StringRef Text;
  InstClass Class = {};
  SassForm Form = SassForm::Compute;
  /// 32-bit registers of the result, without what .64 and .128 of a load add.
  unsigned ResultRegisters = 1;
};

/// The row of SassOpcode.def that shares most leading parts with \p Opcode
/// ("IMAD.WIDE.U32"); null when there is none.
const SassOpcode *findSassOpcode(llvm::StringRef Opcode);

/// Bytes that one lane of the memory instruction \p Opcode moves, from its
/// modifiers: 1 for .U8, 16 for .128, 4 when none says.
unsigned bytesPerLane(llvm::StringRef Opcode);

} // namespace gpuocc

#endif // GPUOCC_READSASS_SASSOPCODE_H
