//===- OwnVectors.h - Words of a lane that one load could bring -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_OWNVECTORS_H
#define GPUOCC_WHATIF_OWNVECTORS_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// Loads of a lane of words side by side, such as the members of a structure or
/// the bytes of a record, which lanes have as far apart as a multiple of Bytes.
struct OwnVector {
  /// Indices in KernelFacts::Accesses, in the order of their addresses.
  std::vector<uint32_t> Loads;
  /// What they hold together: up to 16.
  unsigned Bytes = 0;
  /// They are all of a structure of three words that a loaded index chooses,
  /// which a fourth would align.
  bool IsPadded = false;
};

/// Those of \p V, in each block of code. Lanes whose words follow each other
/// without a gap are left to wider accesses of fewer threads. Of lanes that
/// load the same words, or words that loaded indices choose, code tells how far
/// apart the structures are.
std::vector<OwnVector> ownVectors(const KernelVariant &V);

/// One load brings each of \p Vectors. Words of less than 4 bytes are taken out
/// of its registers by an instruction each. L2 is asked for what it was.
Change loadVectors(std::vector<OwnVector> Vectors);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_OWNVECTORS_H
