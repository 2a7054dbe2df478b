//===- TakeExecuted.h - What warps executed in place of a walk --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_TAKEEXECUTED_H
#define GPUOCC_LIB_ASSESS_TAKEEXECUTED_H

#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Has the loops of \p Profile whose walk did not come to its end, and the code
/// in them, be executed as \p Counts says of the launch of \p Facts that was
/// profiled: executions of blocks and of their accesses, divergence of branches
/// and iterations. What a request asks for stays what was walked. Nothing
/// changes where the walk came to all ends, or where the counts are of other
/// code.
void takeExecuted(const ExecutedCounts &Counts, const KernelFacts &Facts,
                  ExecutionProfile &Profile);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_TAKEEXECUTED_H
