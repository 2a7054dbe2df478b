//===- AccessReader.h - Memory operands of machine instructions -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_ACCESSREADER_H
#define GPUOCC_LIB_READLLVM_ACCESSREADER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace gpuocc {

/// A memory instruction as its machine operands describe it.
struct DecodedAccess {
  MemorySpace Space = MemorySpace::Generic;
  AccessKind Kind = AccessKind::Load;
  unsigned BytesPerLane = 4;
  /// Indices of the machine operands that hold the address; the offset
  /// follows its base.
  unsigned BaseOperand = 0;
  unsigned SharedBaseOperand = 0;
  /// Of stores, the first machine operands are the values.
  unsigned NumStored = 0;
  /// False in inline assembly, which has no offset or one in its text.
  bool HasOffsetOperand = true;
  int64_t TextOffsetBytes = 0;
  int64_t SharedTextOffsetBytes = 0;
  bool NonCoherent = false;
  bool Volatile = false;
  /// ptxas puts a fence of the whole GPU before it.
  bool Releases = false;
  /// MemoryAccess::Acquires.
  bool Acquires = false;
  /// MemoryAccess::SignExtendedTo.
  uint8_t SignExtendedTo = 0;
  /// MemoryAccess::AddressLanes.
  uint8_t AddressLanes = 32;
  std::string AtomicOp;
  bool OnFloats = false;
  /// Instructions issued.
  InstClass Issues = InstClass::LdGeneric;
};

/// The instruction that an access of \p Kind to \p Space is issued as.
InstClass issueClass(MemorySpace Space, AccessKind Kind);

/// Lanes that give the address of a row to the ldmatrix or stmatrix whose name
/// has \p Name: eight for each matrix.
uint8_t lanesOfMatrices(llvm::StringRef Name);

/// Decodes \p MI, named \p Name, or returns nothing when it does not access
/// memory through a lane address.
std::optional<DecodedAccess> decodeAccess(const llvm::MachineInstr &MI,
                                          llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_ACCESSREADER_H
