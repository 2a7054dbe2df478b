//===- StraightCode.h - Straight-line code and its values -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSEMBLER_STRAIGHTCODE_H
#define GPUOCC_LIB_ASSEMBLER_STRAIGHTCODE_H

#include "RegisterValues.h"
#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// One operation of straight-line code.
struct CodeNode {
  uint32_t Op = NoIndex;
  /// The operation whose result decides whether this one is executed; NoIndex
  /// when it always is.
  uint32_t Condition = NoIndex;
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

/// \p OfBlock, the code of each block of the kernel, without that of \p Blocks,
/// which is returned as one with the choices where sides join: a value that a
/// side only computes to be chosen is written over the one that is chosen
/// otherwise.
std::vector<CodeNode>
takeCodeOfRegion(const KernelFacts &Facts, const Region &Blocks,
                 RegisterValues &Values,
                 llvm::MutableArrayRef<std::vector<CodeNode>> OfBlock);

/// The pointers among the parameters that \p Op adds to, which must be in
/// registers there: IMAD.WIDE and memory take no constant; LEA takes a uniform
/// register.
llvm::SmallVector<uint32_t, 4>
pointersInRegisters(const KernelFacts &Facts, uint32_t Op,
                    const RegisterValues &Values);

/// \p Code of \p Blocks with what the assembler adds: pointersInRegisters()
/// are loaded where they are first needed, but for those of \p AlreadyLoaded,
/// and unrolled loops hold several iterations.
StraightCode expandCode(const KernelFacts &Facts, const Region &Blocks,
                        std::vector<CodeNode> Code, RegisterValues &Values,
                        llvm::ArrayRef<uint32_t> AlreadyLoaded);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSEMBLER_STRAIGHTCODE_H
