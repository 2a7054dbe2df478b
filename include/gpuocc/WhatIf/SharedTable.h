//===- SharedTable.h - Tables that a block copies to itself ---- -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SHAREDTABLE_H
#define GPUOCC_WHATIF_SHAREDTABLE_H

#include "gpuocc/WhatIf/AccessChanges.h"
#include <vector>

namespace gpuocc {

/// An array that a kernel only reads, at places that loaded indices choose.
struct LoadedTable {
  /// Its loads.
  AccessList Loads;
  /// What the indices choose from.
  double Words = 0;
  unsigned BytesOfWord = 4;
  /// From one of them to the next: words may be members of structures.
  unsigned BytesApart = 4;

  double bytes() const { return Words * BytesApart; }
};

/// The tables of \p V of which all loads choose from as many words as the code
/// bounds, and which blocks read more often than it takes to copy them.
std::vector<LoadedTable> tablesToCopy(const KernelVariant &V);

/// Passes through the banks of shared memory, as \p G has them, that a request
/// takes for words that loaded indices choose from \p Table: the mean over
/// indices that are drawn.
double passesOfDrawn(const LoadedTable &Table, const MemoryGeometry &G);

/// Each block copies \p Tables to shared memory, whose banks are those of \p G,
/// before it begins, and reads them there.
Change copyTables(std::vector<LoadedTable> Tables, MemoryGeometry G);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SHAREDTABLE_H
