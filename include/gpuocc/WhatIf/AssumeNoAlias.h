//===- AssumeNoAlias.h - What __restrict__ would save -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_ASSUMENOALIAS_H
#define GPUOCC_WHATIF_ASSUMENOALIAS_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// Accesses that the compiler repeats because the arrays of a kernel may
/// overlap. Indices in KernelFacts::Operations.
struct AliasedAccesses {
  /// Loads of one word in a block, the first of them first.
  struct SameWord {
    uint32_t First = NoIndex, Again = NoIndex;
  };
  std::vector<SameWord> Repeated;
  /// A load of the same word in each iteration of a loop.
  struct InLoop {
    uint32_t Op = NoIndex, Loop = NoIndex;
  };
  std::vector<InLoop> Invariant;
  /// Stores of one word that each iteration of a loop overwrites, and the load
  /// of it before them, which a register could replace.
  struct Accumulated {
    uint32_t Loop = NoIndex;
    std::vector<uint32_t> Stores;
    uint32_t Load = NoIndex;
    /// Further loads, each with the store whose word it reads.
    std::vector<std::pair<uint32_t, uint32_t>> Reloads;
  };
  std::vector<Accumulated> Sums;
  /// Loads that have to stay in order with the stores of their block, of arrays
  /// that the kernel does not write.
  std::vector<uint32_t> HeldBack;

  bool empty() const {
    return Repeated.empty() && Invariant.empty() && Sums.empty() &&
           HeldBack.empty();
  }
};

/// Those of \p Facts, given that blocks run as \p Profile says: a load that not
/// every iteration makes stays where it is. Empty where stores go to places
/// that no parameter points to.
AliasedAccesses aliasedAccesses(const KernelFacts &Facts,
                                const ExecutionProfile &Profile);

/// The accesses of \p Found are made once: in front of their loop, or behind
/// it.
Change assumeNoAlias(AliasedAccesses Found);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_ASSUMENOALIAS_H
