//===- AccessSum.h - What walks saw of one access --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_ACCESSSUM_H
#define GPUOCC_LIB_LANES_MEMORY_ACCESSSUM_H

#include "Memory/Folding.h"
#include "Walk/WalkEvents.h"
#include <optional>

namespace gpuocc {

/// Where the loaded indices of an access went.
struct DrawnAddresses {
  uint64_t Low = ~uint64_t(0), High = 0, Step = 0;
  double Draws = 0;

  void add(uint64_t Address);
  /// Multiples of Step that they are drawn from. The mean of the greatest of n
  /// of m equally likely numbers is n / (n + 1) (m + 1) (Goodman 1952, "Serial
  /// number analysis"); here both ends are not known.
  double places() const;
};

/// What walks saw of one access, summed up with the weights of its executions.
struct AccessSum {
  double Executions = 0, Requests = 0, Lanes = 0;
  double Sectors = 0, IdealSectors = 0, Lines = 0;
  double Wavefronts = 0, IdealWavefronts = 0, Distinct = 0;
  double LanesPerAddress = 0, Turns = 0, OtherBlocksSectors = 0;
  double OtherBlocksLines = 0;
  DrawnAddresses Drawn;
  TaintMask Taint = 0;
  /// What the differences between addresses rest on.
  TaintMask ShapeTaint = 0;
  /// What only the common addend of the addresses rests on, where it changes
  /// the figures, and sums of the least and the most that it can make of
  /// them.
  TaintMask AddendTaint = 0;
  AddendEffect AddendSum;
  /// Figures of the first request, and whether later ones differ.
  RequestCost First;
  bool Differs = false;
  /// Some request stood for others.
  bool Sampled = false;
  /// Warps that should behave alike do not.
  bool WarpsDiffer = false;
  /// Lanes whose address lies behind that of the lane before, and those for
  /// which it lies before it.
  double Ascents = 0, Descents = 0;
  Known<int64_t> Stride = Known<int64_t>::unknown("never executed");
  bool HasStride = false;
  FoldMemo Memo;
  /// The request with most active lanes, for the pattern.
  RequestAddresses Example;
  MemorySpace Space = MemorySpace::Global;
  RequestCost ExampleCost;

  /// Adds \p E, an execution of \p M. Returns what its request costs; nothing
  /// where no lane makes one.
  std::optional<RequestCost> add(const AccessEvent &E, const MemoryAccess &M,
                                 const MemoryGeometry &G);

private:
  void noteTaints(const AccessEvent &E);
  void noteDrawn(const AccessEvent &E, const RequestAddresses &R,
                 MemorySpace In);
  void noteAddend(const AccessEvent &E, const RequestAddresses &R,
                  MemorySpace In, const RequestCost &Folded,
                  const RequestCost &Cost, const MemoryGeometry &G);
  void noteCost(double Weight, const RequestCost &Cost);
  void noteStride(const RequestAddresses &R);
  void noteOrder(double Weight, const RequestAddresses &R);
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_ACCESSSUM_H
