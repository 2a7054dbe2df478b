//===- RereadWords.h - Words that a thread loads again ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_REREADWORDS_H
#define GPUOCC_WHATIF_REREADWORDS_H

#include "gpuocc/WhatIf/AccessChanges.h"
#include <vector>

namespace gpuocc {

/// Words of an array that nobody writes which each thread loads in a loop, and
/// loads again in later ones: a row whose largest element, sum and result are
/// found one after the other.
struct RereadWords {
  /// The loads of the first loop, and those of later ones.
  AccessList First, Again;
  /// Later loops.
  unsigned Loops = 0;
  /// Of a thread, mean over threads.
  double BytesOfThread = 0;
};

std::vector<RereadWords> rereadWords(const KernelVariant &V);

/// The kernel whose threads keep \p Words in registers from the first loop on,
/// and whose loops are unrolled for that.
Change keepWords(RereadWords Words);

/// The kernel whose later loops find \p Words in L1, since what all threads go
/// through at a time fits there.
Change findAgainInL1(std::vector<RereadWords> Words);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_REREADWORDS_H
