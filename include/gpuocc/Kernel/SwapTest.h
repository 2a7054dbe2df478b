//===- SwapTest.h - Did a compare-and-swap take place? ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_SWAPTEST_H
#define GPUOCC_KERNEL_SWAPTEST_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// Is \p O what the place of the compare-and-swap \p Swap held before: loaded
/// from it, or returned by the swap?
bool holdsContent(const KernelFacts &Facts, const MemoryAccess &Swap,
                  const Operand &O);

/// The compare-and-swap, an index in KernelFacts::Accesses, of which \p Compare
/// asks whether it took place, if that is one that is tried with what was there
/// before:
///
///   do { Seen = Old; Old = atomicCAS(&Place, Seen, f(Seen)); } while (Old !=
///   Seen);
///
/// Then it fails only if others came between. Swaps for a constant (of a lock,
/// of an empty slot) fail for unknown reasons. NoIndex for all other
/// operations.
uint32_t testedSwap(const KernelFacts &Facts, const Operation &Compare);

/// The compare-and-swaps that are tried with what was there (testedSwap()), and
/// the loads of what they are tried with first, as a flag for each of
/// KernelFacts::Accesses. What these find rests on which lanes and warps come
/// at a time.
std::vector<bool> accessesOfSwaps(const KernelFacts &Facts);

/// True if threads leave the loop around the compare-and-swap \p Swap, an index
/// in KernelFacts::Accesses, only when the swap took place: those that may find
/// nothing left to do (the largest of all numbers) soon do. False where no loop
/// is around it.
bool isRetriedSwap(const KernelFacts &Facts, uint32_t Swap);

/// Shared memory does not have the operation of atomic \p A: sums of floats,
/// and integers of 8 bytes. There the lanes of a word try again until they have
/// swapped what they computed.
bool isRetriedInShared(const MemoryAccess &A);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_SWAPTEST_H
