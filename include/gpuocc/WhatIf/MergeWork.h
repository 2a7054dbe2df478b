//===- MergeWork.h - Work of several threads done by one -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Thread coarsening and register tiling as a change of facts. Operations that
/// depend on the merged coordinate are copied, one copy for each thread that
/// was; the others are executed once for all of them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_MERGEWORK_H
#define GPUOCC_WHATIF_MERGEWORK_H

#include "gpuocc/WhatIf/Change.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// Which threads are merged.
enum class MergeOf : uint8_t {
  /// Of one block: thread t does the work of t, t + T / Factor, ... of the T
  /// threads along the dimension. Blocks have fewer threads.
  Threads,
  /// Of neighbouring blocks: a block does the work of Factor blocks. The grid
  /// has fewer blocks.
  Blocks,
  /// Neighbouring threads along x: accesses that were contiguous over the lanes
  /// become wider. The grid has fewer blocks.
  Neighbours
};

struct Merge {
  MergeOf What = MergeOf::Threads;
  /// 0, 1, 2: x, y, z.
  unsigned Dimension = 0;
  unsigned Factor = 2;
  bool operator==(const Merge &) const = default;
};

/// True if merging \p Factor neighbours along x makes \p A wider: a whole
/// number of sectors, contiguous over the lanes, and no more than 16 bytes of a
/// lane then.
bool becomesWider(const MemoryAccess &A, const AccessProfile &P,
                  unsigned Factor);

/// For each access of \p Facts, the bytes of the widest words, 4 to 16, by
/// which \p Factor neighbouring threads together could move what it and others
/// beside it move for them: the members of structures that lie side by side,
/// all of them. 0 where something of the structure is not moved, and elsewhere.
std::vector<unsigned> bytesOfWholeStretches(const KernelFacts &Facts,
                                            const ExecutionProfile &Profile,
                                            unsigned Factor);

/// True if \p Op computes with one number of 16 bits, and the instruction could
/// with two: merged neighbours share it.
bool isHalfArithmetic(const Operation &Op);

/// For each operation of \p Facts, true when its result or effect differs
/// between the threads that \p M merges. Nothing when it cannot be said.
std::optional<std::vector<bool>>
dependsOnMerged(const KernelFacts &Facts, const ExecutionProfile &Profile,
                const Merge &M);

/// True if merged threads run through the same code: the extent of the launch
/// is a multiple of the factor, lanes of a warp stay in it, loops end at the
/// same time, and the facts are no machine code.
bool canMerge(const KernelFacts &Facts, const ExecutionProfile &Profile,
              const Launch &L, const Merge &M);

/// What is left of the loads of one access where merged threads keep in
/// registers what several of them load (see SlidingWindow.h).
struct WindowedLoad {
  /// Of the loads of all merged threads; 1: all.
  double Share = 1;
  /// Loads that no loop repeats: the window that they are of, where the word
  /// lies, and how far apart those of merged threads are, in bytes. NoIndex for
  /// others, and for loads of vectors.
  uint32_t Window = NoIndex;
  int64_t Word = 0, Slope = 0;
};

/// Threads or blocks are merged as \p M says. Fails unless canMerge. Registers
/// stay what they are: the caller estimates them.
///
/// Accesses keep their lane patterns and hit rates, since warps keep their
/// lanes; of neighbours, those that become no wider, and do not move all of a
/// structure, are further apart. Of loads those are left that \p Windows says
/// (by access; empty: all), which bring what all brought.
Change mergeWork(Merge M, std::vector<WindowedLoad> Windows = {});

} // namespace gpuocc

#endif // GPUOCC_WHATIF_MERGEWORK_H
