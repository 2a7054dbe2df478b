//===- Meaning.h - What a machine instruction computes ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_MEANING_H
#define GPUOCC_LIB_READSASS_MEANING_H

#include "RegisterUse.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/ReadSass/ReadSass.h"
#include <set>

namespace gpuocc {

/// An operation and its registers.
struct SassStep {
  Operation Op;
  RegisterUse Use;
};

/// What one instruction computes. One step is the instruction itself, and
/// costs what it costs; those around it cost nothing.
struct SassMeaning {
  llvm::SmallVector<SassStep, 4> Steps;
  /// Index of the instruction in Steps.
  size_t Itself = 0;
};

/// The kernel that instructions belong to.
struct MeaningContext {
  const SassKernel &Of;
  /// Offsets of parameters in structs that are 64 bits wide, by how they are
  /// used.
  std::set<int64_t> WideOffsets;
};

/// Finds MeaningContext::WideOffsets.
std::set<int64_t> findWideOffsets(const SassFunction &F);

/// What \p I, whose row is \p Row, computes. \p Itself is the operation that
/// stands for it, without operands. \p Condition: of a branch that only cases
/// decide that kernels avoid, whether it is taken. Results that are not
/// understood are Semantics::Opaque.
SassMeaning meaningOf(const SassInstruction &I, const SassOpcode &Row,
                      Operation Itself, const MeaningContext &Context,
                      std::optional<bool> Condition);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_MEANING_H
