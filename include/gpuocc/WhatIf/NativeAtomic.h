//===- NativeAtomic.h - Loops of compare and swap ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_NATIVEATOMIC_H
#define GPUOCC_WHATIF_NATIVEATOMIC_H

#include "gpuocc/WhatIf/Change.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A loop that swaps a word for what an atomic of the hardware would make of
/// it.
struct CasLoop {
  /// Index in KernelFacts::Loops.
  uint32_t Loop = NoIndex;
  /// The compare and swap, an index in KernelFacts::Accesses.
  uint32_t Access = NoIndex;
  /// The load in front of the loop, of the same kind; NoIndex where there is
  /// none that only the loop uses.
  uint32_t FirstLoad = NoIndex;
  /// As MemoryAccess::AtomicOp.
  std::string AtomicOp;
  bool OnFloats = false;
  /// What was in memory is used behind the loop.
  bool IsResultUsed = false;
};

/// The loops of \p Facts that an atomic replaces: additions of 32 and 64 bits,
/// and of integers minima, maxima and bits. What is added may be loaded in each
/// turn of the loop.
std::vector<CasLoop> nativeCasLoops(const KernelFacts &Facts);

/// Each of \p Loops becomes one atomic of each lane.
Change useNativeAtomics(std::vector<CasLoop> Loops);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_NATIVEATOMIC_H
