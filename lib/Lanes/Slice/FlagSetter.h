//===- FlagSetter.h - The branch that sets a tested flag --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_FLAGSETTER_H
#define GPUOCC_LIB_LANES_SLICE_FLAGSETTER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <optional>

namespace gpuocc {

/// A condition and which way it has to be.
struct FlagSetter {
  Operand Condition;
  bool Holds = true;
};

/// The condition that \p Test amounts to, where it compares a flag with a
/// constant and one branch before it decides what the flag is: one side of the
/// branch goes straight to the join with one constant, the other one comes
/// there with constants that the test tells apart from it. Schedulers of
/// persistent kernels return whether there is a next tile in this way.
std::optional<FlagSetter> findFlagSetter(const KernelFacts &Facts,
                                         const Operation &Test);

/// The same where \p Flag itself is the condition.
std::optional<FlagSetter> findFlagSetter(const KernelFacts &Facts,
                                         const Operand &Flag);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_FLAGSETTER_H
