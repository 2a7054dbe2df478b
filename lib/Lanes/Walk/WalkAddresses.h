//===- WalkAddresses.h - Where objects lie in a walk ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The address map of a walk. Each object (shared and local memory, a variable,
/// an array behind a parameter or a loaded pointer) begins at a window of
/// 2^ObjectWindowLog2 bytes of its own, so that no index leads from one into
/// another.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WALKADDRESSES_H
#define GPUOCC_LIB_LANES_WALK_WALKADDRESSES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include <cstdint>
#include <optional>

namespace gpuocc {

/// Address 0 of shared memory.
uint64_t sharedStart();
/// Address 0 of local memory.
uint64_t localStart();
/// The start of KernelFacts::Symbols number \p Symbol, of another memory.
uint64_t symbolStart(uint32_t Symbol);
/// The start of the array whose address is at byte \p Inside of parameter \p
/// Parameter: members of a structure get windows of their own.
uint64_t memberStart(unsigned Parameter, uint64_t Inside);
/// The start of the array behind a pointer that was loaded; \p Key names it.
uint64_t loadedPointer(uint64_t Key);
/// The address of what lay at \p Address when the kernel ran; \p Address where
/// no device memory lies there.
uint64_t pointerWhenSeen(uint64_t Address);

/// A byte of a variable.
struct SymbolByte {
  /// Index in KernelFacts::Symbols.
  uint32_t Symbol = 0;
  uint64_t Byte = 0;
};
/// The byte of a variable at \p Address; nothing where none lies there.
std::optional<SymbolByte> symbolAt(const KernelFacts &Facts, uint64_t Address);

/// A byte of an array that a parameter leads to.
struct ArrayByte {
  /// Where the address of the array is in parameter memory.
  uint64_t Array = 0;
  uint64_t Byte = 0;
};
/// The byte of an array at \p Address; nothing where none lies there.
std::optional<ArrayByte> arrayAt(const KernelFacts &Facts, uint64_t Address);

/// What pointerWhenSeen() was asked for to get \p Address; nothing for an
/// address of another kind.
std::optional<uint64_t> seenAddress(uint64_t Address);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WALKADDRESSES_H
