//===- L2Objects.h - Objects as L2 sees them --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_L2OBJECTS_H
#define GPUOCC_LIB_CACHES_L2OBJECTS_H

#include "gpuocc/Lanes/WalkedLaunch.h"
#include <map>
#include <set>
#include <utility>

namespace gpuocc {

/// Accesses whose reuse is judged together.
struct ReuseGroup {
  uint64_t Low = ~uint64_t(0), High = 0;
  /// Bytes of sectors asked for, and those that leave L1.
  double Asked = 0, Missed = 0;
  /// Of the missed: what loaded indices ask for, in no order.
  double Random = 0;
  /// What the accesses reach, and the sum of the distinct bytes of each.
  std::set<AddressRange> Reached;
  double Single = 0;
  /// Of the sectors asked for, those that no other request of the block asks
  /// for, nor a block next to it; an upper bound.
  double OwnShare = 1;
  /// The first of them in the code.
  size_t FirstAccess = ~size_t(0);

  /// Bytes of the ranges, where they overlap once; known when all accesses are
  /// in (findObjects).
  double ReachedBytes = 0;

  /// No more than the ranges, what is asked for of them that is not shared, and
  /// what the accesses reach.
  double distinct() const;
};

/// An object (pointer argument, global variable) read or written.
struct L2Object {
  ReuseGroup All;
  /// By innermost loop: reuse within a loop is near in time, reuse between
  /// loops is as far as their data is large.
  std::map<uint32_t, ReuseGroup> ByLoop;

  /// Splits \p Bytes that the object takes from below over its loops: the
  /// first loop of the code brings what it reaches, later ones what is left;
  /// what exceeds that follows the requests.
  std::map<uint32_t, double> byLoop(double Bytes) const;
};

/// Whether an access reads or writes, and the object it reaches.
using ObjectKey = std::pair<bool, uint64_t>;
using L2Objects = std::map<ObjectKey, L2Object>;

ObjectKey objectOf(const KernelFacts &Facts,
                   llvm::ArrayRef<AddressRange> Ranges, size_t Access);

/// ReuseGroup::OwnShare of objects, and of the loops that reach them.
struct OwnShares {
  std::map<ObjectKey, double> OfObject;
  std::map<std::pair<ObjectKey, uint32_t>, double> OfLoop;
};

OwnShares findOwnShares(const WalkedLaunch &L,
                        llvm::ArrayRef<AddressRange> Ranges);

/// The objects that \p NumWarps warps with the ranges \p Ranges reach.
/// Atomics are read and written in L2; they count with the loads.
L2Objects findObjects(const WalkedLaunch &L, const ExecutionProfile &Profile,
                      llvm::ArrayRef<AddressRange> Ranges, const OwnShares &Own,
                      double NumWarps);

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_L2OBJECTS_H
