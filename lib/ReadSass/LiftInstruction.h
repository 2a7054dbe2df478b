//===- LiftInstruction.h - What a machine instruction computes --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_LIFTINSTRUCTION_H
#define GPUOCC_LIB_READSASS_LIFTINSTRUCTION_H

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
struct LiftedInstruction {
  llvm::SmallVector<SassStep, 4> Steps;
  /// Index of the instruction in Steps.
  size_t Itself = 0;
};

/// The kernel that instructions belong to.
struct LiftContext {
  const SassKernel &Of;
  /// Offsets of parameters in structs that are 64 bits wide, by how they are
  /// used.
  std::set<int64_t> WideOffsets;
};

/// Finds LiftContext::WideOffsets.
std::set<int64_t> findWideOffsets(const SassFunction &F);

/// What \p I, whose row is \p Row, computes. \p Itself is the operation that
/// stands for it, without operands. \p Condition: of a branch that only cases
/// decide that kernels avoid, whether it is taken. Results that are not
/// understood are Semantics::Opaque.
LiftedInstruction liftInstruction(const SassInstruction &I,
                                  const SassOpcode &Row, Operation Itself,
                                  const LiftContext &Context,
                                  std::optional<bool> Condition);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_LIFTINSTRUCTION_H
