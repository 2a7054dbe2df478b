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

/// Code that combines many values to few, in any order, and that each thread
/// that runs it does alone: behind `if (threadIdx.x == c)` one, or all of a
/// block, each of them the same.
struct SerialSection {
  /// Index in KernelFacts::Branches; NoIndex where all threads do the same.
  uint32_t Branch = NoIndex;
  /// Where all threads do the same: index in KernelFacts::Loops.
  uint32_t Loop = NoIndex;
  /// One lane of each warp runs it, not one thread of each block.
  bool IsOfWarp = false;
  /// Blocks of the side of the one thread, or of the loop.
  std::vector<uint32_t> Blocks;
  /// Values that are combined to one.
  double Values = 0;
  /// How many results they are combined to; none where each is stored in shared
  /// memory, such as those of a table.
  unsigned Results = 1;
  /// What combines two of them.
  InstClass Combine = {};
  /// Where all threads do the same: how often they do it over, in a loop around
  /// that changes none of the values.
  double Times = 1;
};

/// True if one thread of each block, or one lane of each warp, takes one way at
/// branch \p Index of \p V, and all others the other: no other condition would
/// let lanes agree.
bool isOfOneThread(const KernelVariant &V, uint32_t Index);

/// The section behind branch \p Index of \p V; nothing where all threads of the
/// block take part, where iterations depend on each other in another way, or
/// where fewer values than a warp has lanes are combined.
std::optional<SerialSection> serialSection(const KernelVariant &V,
                                           uint32_t Index);

/// Innermost loops of \p V that all threads of a block go through alike, to
/// combine the same values: each thread repeats the work of the others. Empty
/// where that cannot be said.
std::vector<SerialSection> repeatedLoops(const KernelVariant &V);

/// Each thread of the block combines its share of the values of \p Section, and
/// the threads combine their results by shuffles. Data comes from where it came
/// from, each sector once.
Change shareSection(SerialSection Section);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SERIALSECTION_H
