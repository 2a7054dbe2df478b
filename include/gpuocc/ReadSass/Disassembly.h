//===- Disassembly.h - What the disassembler printed ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text of `nvdisasm -c -g -hex` as values. Its JSON form has neither the
/// encoding, which holds the control codes, nor line information.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READSASS_DISASSEMBLY_H
#define GPUOCC_READSASS_DISASSEMBLY_H

#include "gpuocc/Kernel/IssueControl.h"
#include "gpuocc/Support/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace gpuocc {

/// One machine instruction.
struct SassInstruction {
  uint64_t Offset = 0;
  /// "P0" or "!UP1"; empty when it always executes.
  std::string Predicate;
  /// With modifiers: "ISETP.GE.U32.AND".
  std::string Opcode;
  /// "R4", "desc[UR6][R6.64+0x10]", "`(.L_x_2)", ...
  llvm::SmallVector<std::string, 4> Operands;
  IssueControl Control;
  /// Line of the line table; 0 if it has none.
  unsigned Line = 0;
  /// Index in SassFunction::Places; beyond its end where there is none.
  size_t Place = ~size_t(0);
};

/// One kernel, with the functions that it calls behind it.
struct SassFunction {
  std::string Name;
  std::vector<SassInstruction> Instructions;
  /// Index in Instructions of what follows a label.
  std::map<std::string, size_t> Labels;
  /// Places in the source, with the calls that they are inlined at where the
  /// disassembler was asked for them (-gi).
  std::vector<SourceLocation> Places;
};

/// Reads the code sections in \p Text. \p Source names it in errors, which say
/// the line that is not understood and what would be right.
llvm::Expected<std::vector<SassFunction>>
parseDisassembly(llvm::StringRef Text, llvm::StringRef Source);

} // namespace gpuocc

#endif // GPUOCC_READSASS_DISASSEMBLY_H
