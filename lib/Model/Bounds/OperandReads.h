//===- OperandReads.h - Registers that instructions read --------*- C++ -*-===//
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

/// SM cycles per warp that registers take longer to read than the instructions
/// that read them take.
struct OperandWaits {
  /// Longer than products of 32 bits take on the FMA pipe.
  double OfFma = 0;
  /// Longer than the arithmetic instructions of all pipes take to issue.
  double OfIssue = 0;
};

/// Compares, block by block of \p Facts, what the instructions read with what
/// the register file gives.
///
/// A register that the instruction before reads as the same operand comes from
/// the reuse cache, unless this instruction waits for that one. The two banks
/// are taken as evenly read, as code of several accumulators has them: a loop
/// over one instruction of three registers, two of them in one bank, takes
/// longer.
///
/// Source: Jia et al. 2018, Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking, section 2.1 (two banks, reuse cache); the rate as
/// measured on an H100 (RegisterReads). All pipes read from the same banks: one
/// LOP3 of three registers beside one, two and three FFMA of two takes 2.7, 3.8
/// and 4.9 cycles of a scheduler, two beside an FFMA and an IMAD of two 5.4
/// (H200, 2026-11-30).
OperandWaits operandWaits(const KernelFacts &Facts,
                          const ExecutionProfile &Profile, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_OPERANDREADS_H
