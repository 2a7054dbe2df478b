//===- CopyStages.h - Tiles that a pipeline has under way -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_COPYSTAGES_H
#define GPUOCC_WHATIF_COPYSTAGES_H

#include "gpuocc/WhatIf/Change.h"
#include <optional>

namespace gpuocc {

/// A loop that copies tiles to shared memory, some of them ahead.
struct CopyPipeline {
  /// Tiles that are copied or used at a time.
  unsigned Stages = 1;
  /// Of a tile, by the whole block.
  double BytesOfStage = 0;
  /// Of the sectors that loads and copies ask for, those that copies do.
  double ShareOfReads = 0;
  /// The first copy, index in KernelFacts::Accesses.
  uint32_t FirstCopy = NoIndex;

  double bytesOfBlock() const { return Stages * BytesOfStage; }
};

/// The pipeline of \p Facts: bulk copies that are awaited at barriers, or
/// groups of cp.async. Barriers tell its stages, or the groups that a wait
/// leaves. Nothing where no loop copies and waits.
std::optional<CopyPipeline> copyPipeline(const KernelFacts &Facts,
                                         const ExecutionProfile &Profile,
                                         unsigned WarpsPerBlock);

/// \p More tiles are copied ahead than in \p Of, each to a place of its own.
Change copyFurtherAhead(const CopyPipeline &Of, unsigned More);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_COPYSTAGES_H
