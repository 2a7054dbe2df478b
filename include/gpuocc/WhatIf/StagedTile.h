//===- StagedTile.h - Tiles of global in shared memory ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_STAGEDTILE_H
#define GPUOCC_WHATIF_STAGEDTILE_H

#include "gpuocc/WhatIf/Change.h"
#include "gpuocc/WhatIf/MergeWork.h"

namespace gpuocc {

/// Words of global memory that a block keeps in shared memory as they are.
/// Indices in KernelFacts::Operations.
struct StagedTile {
  struct Copy {
    uint32_t Load = NoIndex, Store = NoIndex;
  };
  std::vector<Copy> Copies;
  /// Loads from the tile.
  std::vector<uint32_t> Reads;
};

/// All of the shared memory of \p Facts, where it holds nothing but such words;
/// otherwise a tile without reads.
StagedTile stagedTile(const KernelFacts &Facts);

/// True if each thread reads from \p Tile only the words that it stored there
/// itself, one in each turn of a loop: a register keeps them, and no thread
/// waits for another.
bool isOfOwnWords(const KernelVariant &V, const StagedTile &Tile);

/// True if the lanes of a warp read \p Tile along its rows, or one word of it:
/// as they could from global memory. A tile that is read along columns is there
/// to turn rows into columns.
bool isReadAsLoaded(const KernelVariant &V, const StagedTile &Tile);

/// The reads of \p Tile go to global memory. L2 is asked for what the copies
/// asked it for; L1, as \p G says, has the rest. Barriers and shared memory go.
Change dropTile(StagedTile Tile, MemoryGeometry G);

/// A load in a loop that several threads of a block repeat.
struct SharedLoad {
  uint32_t Op = NoIndex;
  /// Threads of the block that load each word.
  double Threads = 1;
};

/// Loads of the innermost loops of \p V whose words do not depend on the one
/// coordinate of the thread and do on the other: rows and columns of a product.
std::vector<SharedLoad> loadsWorthSharing(const KernelVariant &V);

/// \p Loads read a tile of shared memory that the block fills together, each
/// word once, through L1 as \p G says.
Change reuseTile(std::vector<SharedLoad> Loads, MemoryGeometry G);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_STAGEDTILE_H
