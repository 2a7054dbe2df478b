//===- OperandReads.h - Registers that products read ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_OPERANDREADS_H
#define GPUOCC_LIB_MODEL_BOUNDS_OPERANDREADS_H

namespace gpuocc {

struct ExecutionProfile;
struct KernelFacts;
class Numbers;

/// SM cycles per warp for which the FMA pipe of \p Facts waits for registers:
/// what the reads of a block's instructions take longer than the pipe does.
///
/// A register that the instruction before reads too comes from the reuse cache,
/// unless this instruction waits for that one. The two banks are taken as
/// evenly read, as code of several accumulators has them: a loop over one
/// instruction of three registers, two of them in one bank, takes longer.
///
/// Source: Jia et al. 2018, Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking, section 2.1 (two banks, reuse cache); the rate as
/// measured on an H100 (RegisterReads).
double operandWaitCycles(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_OPERANDREADS_H
