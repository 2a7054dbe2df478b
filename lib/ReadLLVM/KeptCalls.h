//===- KeptCalls.h - Calls that only we inline ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_KEPTCALLS_H
#define GPUOCC_LIB_READLLVM_KEPTCALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuocc {

/// Leaves inline assembly before each call of \p M that AlwaysInliner is about
/// to inline, with what the call takes in machine code (PtxMnemonics.def):
/// ptxas inlines no function of PTX, so that a call stays a call, which
/// nothing passes, and we inline it to follow its addresses. To be run after
/// markInlined.
void keepCalls(llvm::Module &M);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_KEPTCALLS_H
