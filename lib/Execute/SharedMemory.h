//===- SharedMemory.h - Variables in shared memory --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_SHAREDMEMORY_H
#define GPUOCC_LIB_EXECUTE_SHAREDMEMORY_H

#include "Retarget.h"

namespace llvm {
class Value;
} // namespace llvm

namespace gpuocc::execute {

/// The address space of NVPTX.
inline constexpr unsigned SharedSpace = 3;

/// Bytes that the system has at the start of shared memory from sm_90 on;
/// cooperative groups exchange values there.
inline constexpr uint64_t ReservedSharedBytes = 1024;

/// Does \p Pointer lead to shared memory for certain?
bool isInShared(const llvm::Value &Pointer);

/// Replaces the variables in shared memory by addresses in the memory of the
/// thread's block. Functions have their thread as first parameter.
void replaceSharedVariables(llvm::Module &M, const SharedLayout &Layout);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_SHAREDMEMORY_H
