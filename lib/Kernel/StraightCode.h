//===- StraightCode.h - Straight-line code and its values -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_KERNEL_STRAIGHTCODE_H
#define GPUOCC_LIB_KERNEL_STRAIGHTCODE_H

#include "RegisterValues.h"

namespace gpuocc {

/// One operation of straight-line code.
struct CodeNode {
  uint32_t Op = NoIndex;
  /// Iteration of an unrolled loop.
  unsigned Copy = 0;
  ValueSet Uses, Defs;
};

/// A block as the assembler schedules it.
struct StraightCode {
  std::vector<CodeNode> Nodes;
  /// Registers of the values behind those of the kernel.
  std::vector<uint8_t> FreshWords;
};

/// The operations of \p Block that emit instructions.
std::vector<CodeNode> codeOfBlock(const KernelFacts &Facts, uint32_t Block,
                                  RegisterValues &Values);

/// \p Code of \p Block with what the assembler adds: pointers among the
/// parameters are loaded into registers where they are added to (IMAD.WIDE and
/// memory take no constant there), and unrolled loops hold several iterations.
StraightCode expandCode(const KernelFacts &Facts, uint32_t Block,
                        const std::vector<CodeNode> &Code,
                        RegisterValues &Values);

} // namespace gpuocc

#endif // GPUOCC_LIB_KERNEL_STRAIGHTCODE_H
