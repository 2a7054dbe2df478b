//===- MergeDependence.h - What differs between merged threads -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_WHATIF_MERGEDEPENDENCE_H
#define GPUOCC_LIB_WHATIF_MERGEDEPENDENCE_H

#include "gpuocc/WhatIf/MergeWork.h"

namespace gpuocc {

/// True if \p R is what distinguishes the threads that \p M merges.
bool isMergedCoordinate(SpecialReg R, const Merge &M);

/// The symbols that \p Address is computed from.
std::vector<uint32_t> symbolsOf(const KernelFacts &Facts, Operand Address);

/// Operations, and arrays in shared memory, that the merged threads or blocks
/// do not have in common.
class MergeDependence {
public:
  MergeDependence(const KernelFacts &Facts, const ExecutionProfile &Profile,
                  const Merge &M);

  /// False when the threads cannot be merged.
  bool find();

  const std::vector<bool> &operations() const { return Depends; }
  /// By symbol, in shared memory: true if each of the merged blocks needs one.
  const std::vector<bool> &multipliedSymbols() const { return Multiplied; }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  const Merge M;
  std::vector<bool> Depends, Multiplied;
  /// By access, the shared arrays it may touch; empty unless blocks are merged.
  std::vector<std::vector<uint32_t>> SharedSymbols;
  bool Changed = false;

  bool isSeed(const Operation &Op) const;
  bool depends(const Operand &O) const;
  bool readsDependent(uint32_t I) const;
  void multiplySymbols();
  void markMeetings();
  bool haveLoopsOneLength() const;
  bool haveWarpsOneLength(uint32_t Header) const;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_WHATIF_MERGEDEPENDENCE_H
