//===- AssemblerRules.h - What ptxas does by architecture ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_ASSEMBLER_ASSEMBLERRULES_H
#define GPUOCC_ASSEMBLER_ASSEMBLERRULES_H

#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The architecture with whose machine code all steps of lowerLikePtxas() were
/// checked.
constexpr llvm::StringLiteral CheckedArchitecture = "sm_90";

/// In what ptxas's code for architectures differs.
struct AssemblerRules {
  /// The first architecture that these hold for: 75 of sm_75.
  unsigned Since;
  /// There are uniform registers.
  bool HasUniformDatapath;
  /// Sizes of blocks and grids, and parameters, are operands of arithmetic, and
  /// moved where they have to be in registers; not loaded.
  bool ReadsConstantsInPlace;
  /// What reads the index of the block, and what loads the stack pointer.
  InstClass BlockIndex, StackPointer;
  /// Kernels load the descriptor of global memory.
  bool HasMemoryDescriptor;
  /// Kernels add the window of their block in its cluster to addresses of
  /// shared memory.
  bool HasSharedWindow;
  /// Loads of shared memory that no lane does, before the first cp.async of a
  /// block.
  unsigned NumLoadsBeforeCopies;
  /// VIMNMX3 and VIADDMNMX: the least and the greatest of three numbers, and
  /// of a sum and a third.
  bool HasMinMaxOfThree;
  /// The last of several least and greatest numbers is 0 at least (.RELU).
  bool HasRelu;
};

/// The rules for \p Architecture, "sm_80"; those of CheckedArchitecture where
/// that is no architecture.
const AssemblerRules &assemblerRules(llvm::StringRef Architecture);

/// True if all steps were checked with machine code of \p Architecture.
bool areRulesChecked(llvm::StringRef Architecture);

} // namespace gpuocc

#endif // GPUOCC_ASSEMBLER_ASSEMBLERRULES_H
