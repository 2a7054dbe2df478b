//===- OpcodeTable.h - What each NVPTX machine opcode is -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_OPCODETABLE_H
#define GPUOCC_LIB_READLLVM_OPCODETABLE_H

#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>

namespace llvm {
class MachineInstr;
class MCInstPrinter;
class TargetInstrInfo;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

/// A row of PtxOpcodes.def with its emissions parsed.
struct OpcodeRule {
  Semantics What = Semantics::Opaque;
  uint8_t Bits = 32;
  uint8_t FromBits = 0;
  llvm::SmallVector<Emission, 4> Emits;
};

/// Looks machine opcodes up by name, and those that tablegen left without a
/// name by their mnemonic.
class OpcodeTable {
public:
  OpcodeTable(const llvm::TargetMachine &TM, const llvm::TargetInstrInfo &TII);
  ~OpcodeTable();

  /// The rule for \p Opcode, or null when no row matches.
  const OpcodeRule *find(unsigned Opcode);

  /// The name of \p Opcode: tablegen's, or the mnemonic; of operations on
  /// fragments with all qualifiers
  /// ("wmma.load.a.sync.aligned.row.m16n16k16.f16").
  llvm::StringRef name(unsigned Opcode);

  /// The steps of \p MI, whose arguments are its operands, where the rule of
  /// its opcode does not say what it computes; nothing if they are not known
  /// either.
  std::optional<PtxBlock> steps(const llvm::MachineInstr &MI);

  /// The mnemonic of \p Opcode as far as no operand decides about it.
  llvm::StringRef mnemonic(unsigned Opcode) const;

private:
  std::string qualifiedMnemonic(unsigned Opcode) const;
  bool mayHaveSteps(unsigned Opcode);

  const llvm::TargetMachine &TM;
  const llvm::TargetInstrInfo &TII;
  std::unique_ptr<llvm::MCInstPrinter> Printer;
  llvm::DenseMap<unsigned, std::unique_ptr<OpcodeRule>> Cache;
  llvm::DenseMap<unsigned, std::unique_ptr<std::string>> Qualified;
  llvm::DenseMap<unsigned, bool> HasSteps;
};

/// Parses the emission text of PtxOpcodes.def; asserts on a malformed one.
llvm::SmallVector<Emission, 4> parseEmissions(llvm::StringRef Text);

/// What ptxas makes of the PTX instruction \p Mnemonic on \p Operands, for
/// instructions that the backend has no name of its own for, and those of
/// inline assembly; nothing when no row matches.
std::optional<llvm::SmallVector<Emission, 4>>
emissionsOfMnemonic(llvm::StringRef Mnemonic, llvm::StringRef Operands = "");

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_OPCODETABLE_H
