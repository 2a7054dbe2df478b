//===- FunctionReader.h - Machine functions to kernel facts ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FUNCTIONREADER_H
#define GPUOCC_LIB_READLLVM_FUNCTIONREADER_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace gpuocc {

class OpcodeTable;
struct CallSite;

/// Fills operations, blocks, loops, accesses and branches of \p Facts from
/// \p MF, which must be in SSA form after instruction selection, and \p Calls
/// with those that may return.
void readFunction(const llvm::MachineFunction &MF, OpcodeTable &Opcodes,
                  KernelFacts &Facts, std::vector<CallSite> &Calls);

/// Fills name, parameters, launch bounds and place of \p Facts from \p F.
void readSignature(const llvm::Function &F, KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FUNCTIONREADER_H
