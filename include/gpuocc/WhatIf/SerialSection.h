//===- SerialSection.h - What one thread does for its block -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SERIALSECTION_H
#define GPUOCC_WHATIF_SERIALSECTION_H

#include "gpuocc/WhatIf/Change.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// Code behind `if (threadIdx.x == c)` that combines many values to few, in any
/// order.
struct SerialSection {
  /// Index in KernelFacts::Branches.
  uint32_t Branch = NoIndex;
  /// Blocks of the side of the one thread.
  std::vector<uint32_t> Blocks;
  /// Values that are combined to one.
  double Values = 0;
  /// How many results they are combined to.
  unsigned Results = 1;
  /// What combines two of them.
  InstClass Combine = {};
};

/// True if one thread of each block takes one way at branch \p Index of \p V,
/// and all others the other: no other condition would let lanes agree.
bool isOfOneThread(const KernelVariant &V, uint32_t Index);

/// The section behind branch \p Index of \p V; nothing where all threads of the
/// block take part, where iterations depend on each other in another way, or
/// where fewer values than a warp has lanes are combined.
std::optional<SerialSection> serialSection(const KernelVariant &V,
                                           uint32_t Index);

/// Each thread of the block combines its share of the values of \p Section, and
/// the threads combine their results by shuffles. Data comes from where it came
/// from, each sector once.
Change shareSection(SerialSection Section);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SERIALSECTION_H
