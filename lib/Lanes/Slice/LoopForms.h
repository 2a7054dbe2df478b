//===- LoopForms.h - Closed forms of loops ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_LOOPFORMS_H
#define GPUOCC_LIB_LANES_SLICE_LOOPFORMS_H

#include "Slice/Slice.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace gpuocc {

/// Is a condition decided, not evaluated? It is when it rests on loaded or not
/// evaluated values, or on flags that branches on such values set. Counters and
/// bounds that such branches move are evaluated: whichever way they go, a loop
/// that halves an interval or takes one element of two lists ends when they
/// meet.
bool isDecided(const KernelFacts &Facts, llvm::ArrayRef<StaticTraits> Traits,
               const Operand &Condition);

/// Finds the affine phis and the exits of every loop of \p S. \p Traits is
/// parallel to KernelFacts::Operations; \p SlotOf gives the slot of an operand.
/// Loads of \p Recorded arrays that nothing writes are as invariant as their
/// addresses.
void findLoopForms(const KernelFacts &Facts,
                   llvm::ArrayRef<StaticTraits> Traits,
                   const RecordedArrays &Recorded,
                   llvm::function_ref<uint32_t(const Operand &)> SlotOf,
                   Slice &S);

/// Iterations that pass `Left Stay Right` before the first that fails, when
/// both sides are linear in the iteration number.
///
/// \param Left0, Right0  values in iteration 0, \p Bits wide.
/// \param Left1, Right1  values in iteration 1.
/// \returns the number k >= 0 of the first failing iteration, or nothing when
/// no iteration fails before the values wrap. Unsigned values that are compared
/// with one that stays are followed beyond that.
std::optional<uint64_t> firstFailing(ComparePredicate Stay, unsigned Bits,
                                     uint64_t Left0, uint64_t Left1,
                                     uint64_t Right0, uint64_t Right1);

/// The comparison that holds when \p P does not.
ComparePredicate invertPredicate(ComparePredicate P);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_LOOPFORMS_H
