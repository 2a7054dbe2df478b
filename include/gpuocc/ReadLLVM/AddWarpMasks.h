//===- AddWarpMasks.h - Operations of warps since Volta ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READLLVM_ADDWARPMASKS_H
#define GPUOCC_READLLVM_ADDWARPMASKS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

/// Makes shuffles and votes without a mask (__shfl, __any) those of all lanes,
/// where \p TM generates code for Volta or later: for these it has no code for
/// the old forms and stops, while the driver runs programs that were built for
/// earlier architectures.
void addWarpMasks(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace gpuocc

#endif // GPUOCC_READLLVM_ADDWARPMASKS_H
