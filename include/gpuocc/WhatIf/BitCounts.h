//===- BitCounts.h - Bits of a word, counted one by one ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_BITCOUNTS_H
#define GPUOCC_WHATIF_BITCOUNTS_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// A sum of single bits of one word. Indices in KernelFacts::Operations.
struct BitCount {
  /// The last addition, and those before it.
  uint32_t Sum = NoIndex;
  std::vector<uint32_t> Others;
  /// What the bits are of.
  Operand Word;
  unsigned Bits = 0;
};

/// The sums in \p Facts of eight and more different bits, and of nothing else.
std::vector<BitCount> bitCounts(const KernelFacts &Facts);

/// One instruction counts the bits of each of \p Counts, and one more takes
/// those out that are meant where they are not all.
Change countBits(std::vector<BitCount> Counts);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_BITCOUNTS_H
