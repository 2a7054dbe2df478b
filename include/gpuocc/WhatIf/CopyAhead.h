//===- CopyAhead.h - Tiles that are copied while another is used -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_COPYAHEAD_H
#define GPUOCC_WHATIF_COPYAHEAD_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// A word that goes from global to shared memory through a register. Indices in
/// KernelFacts::Operations.
struct StagedWord {
  uint32_t Load = NoIndex, Store = NoIndex;
};

/// The words of \p Facts that are loaded and stored to shared memory as they
/// are, in loops with a barrier, in widths that asynchronous copies have.
std::vector<StagedWord> wordsToCopyAhead(const KernelFacts &Facts);

/// \p Words are copied by cp.async into a second tile. The waits for them go;
/// the caller bounds what that gains.
Change copyAhead(std::vector<StagedWord> Words);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_COPYAHEAD_H
