//===- RegisterPool.h - What warps take from their block --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_REGISTERPOOL_H
#define GPUOCC_LIB_ASSESS_REGISTERPOOL_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <optional>

namespace gpuocc {

struct ExecutionProfile;
struct Launch;

/// Columns of the tensor memory of an SM.
///
/// Source: PTX ISA 9.0, section "Tensor Memory": 512 columns of 128 lanes.
constexpr int64_t TensorMemoryColumns = 512;

/// More registers than a block has.
struct RegisterPoolDeficit {
  /// Registers per thread, mean over the threads of the block.
  double Wanted = 0;
  /// Of an operation that takes them.
  uint32_t Location = NoIndex;
};

/// The deficit of the block where its warps give and take registers
/// (setmaxnreg) and take more than the block was launched with; nothing where
/// they do not, and where it is not known exactly which warps do, or with how
/// many registers the kernel starts.
///
/// Source: PTX ISA 9.0, setmaxnreg: `.inc` blocks until there are enough
/// registers in the pool of the block.
std::optional<RegisterPoolDeficit>
registerPoolDeficit(const KernelFacts &Facts, const ExecutionProfile &Profile,
                    const Launch &L);

/// More tensor memory than an SM has.
struct TensorMemoryExcess {
  int64_t Columns = 0;
  uint32_t Location = NoIndex;
};

/// The excess of what is allocated at a time, in the order of the code;
/// allocations of an unknown number of columns do not count.
std::optional<TensorMemoryExcess>
tensorMemoryExcess(const KernelFacts &Facts, const ExecutionProfile &Profile);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_REGISTERPOOL_H
