//===- AddressRange.h - Which bytes accesses reach --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ADDRESSRANGE_H
#define GPUOCC_LIB_LANES_ADDRESSRANGE_H

#include "LaunchInputs.h"
#include "Slice.h"
#include "WarpPlan.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <compare>
#include <vector>

namespace gpuocc {

/// The bytes that an access reaches: runs of Width at multiples of Step from
/// Low to High.
struct AddressRange {
  uint64_t Low = ~uint64_t(0), High = 0;
  uint64_t Step = 0, Width = 1;
  bool isEmpty() const { return Low >= High; }
  auto operator<=>(const AddressRange &) const = default;

  void add(uint64_t Address, uint64_t Bytes);
  /// Distinct bytes of sectors.
  double bytes(unsigned SectorBytes) const;
};

/// The blocks whose warps reach as far as all blocks of a grid do: the middle,
/// the corners, and those of the cell of \p Cuts around the middle, as guards
/// often let no block at a corner reach anything.
std::vector<Dim3> farthestBlocks(const Slice &S, Dim3 Grid,
                                 const GridCuts &Cuts);

/// The same for \p Count blocks that follow each other in the middle of the
/// grid: the first and the last, and the ends of the row between them.
std::vector<Dim3> farthestOfWave(Dim3 Grid, uint64_t Count);

/// What the warps \p Warps of \p Blocks reach with each access, and, if
/// \p WholeBlock, the other warps of the first of the blocks.
std::vector<AddressRange>
findRanges(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
           const LanesOptions &Options, llvm::ArrayRef<Dim3> Blocks,
           llvm::ArrayRef<unsigned> Warps, bool WholeBlock = false);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ADDRESSRANGE_H
