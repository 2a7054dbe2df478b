//===- AsyncGroups.h - Work that runs beside a warp -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies to shared memory (cp.async), bulk copies (cp.async.bulk) and products
/// of warp groups (wgmma.mma_async) run beside the warp that starts them. The
/// warp closes groups of them and waits until all but the youngest groups are
/// done. Bulk copies to shared memory arrive at a barrier (mbarrier): what is
/// expected there is a group, and each wait is for the oldest group, whichever
/// warp of the block began it.
///
/// Source: PTX ISA 9.0, 9.7.9.25.3 (cp.async), 9.7.9.25.4 (cp.async.bulk),
/// 9.7.13.15 (mbarrier) and 9.7.15 (wgmma).
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_ASYNCGROUPS_H
#define GPUOCC_LIB_MODEL_LATENCY_ASYNCGROUPS_H

#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuocc {

struct KernelFacts;
struct Operation;

/// Bulk copies end in groups of their own, or arrive at a barrier.
enum class AsyncKind : uint8_t { Copy, Product, BulkGroup, Arrival };
constexpr unsigned NumAsyncKinds = unsigned(AsyncKind::Arrival) + 1;

/// What an operation has to do with groups of one kind.
struct GroupPart {
  AsyncKind Kind = AsyncKind::Copy;
  /// Belongs to the group that is open.
  bool IsMember = false;
  /// Closes the open group.
  bool Commits = false;
  /// Waits until MayRemain groups are left, or for all work, in no group too.
  bool Waits = false, WaitsForAll = false;
  /// Waits for the oldest group that was not waited for: the phases of
  /// barriers end in the order in which they began.
  bool WaitsForOldest = false;
  /// Phases that were begun earlier than the code says (CopyFurtherAhead).
  unsigned Ahead = 0;
  unsigned MayRemain = 0;
};

/// The part of \p Op of \p Facts.
GroupPart groupPart(const KernelFacts &Facts, const Operation &Op);

/// Groups that a wait can leave; more than any pipeline of copies has stages.
constexpr unsigned MostGroups = 32;

/// When the groups of a kind are done, cycles of the clock of the warp. They
/// end in the order in which they began.
class AsyncGroups {
public:
  void add(double DoneCycle) { OpenDone = std::max(OpenDone, DoneCycle); }
  /// Closes the open group of \p Kind.
  void commit(AsyncKind Kind = AsyncKind::Copy);

  /// When a wait of \p Part is over.
  double doneCycle(const GroupPart &Part) const;

  /// The oldest group has been waited for.
  void dropOldest() {
    if (!Done.empty())
      Done.erase(Done.begin());
    else
      OpenDone = 0;
  }

  /// \p Count groups were begun before and are done.
  void addDone(unsigned Count) {
    Done.append(Count, 0.0);
    NumClosed += Count;
  }

  /// Groups that were not waited for, the open one among them.
  size_t numUnderWay() const { return Done.size() + (OpenDone > 0); }

  /// Moves what ends after \p Now by \p Cycles.
  void shift(double Now, double Cycles);

  /// What was begun since \p Before ends \p Cycles sooner.
  void hasten(const AsyncGroups &Before, double Cycles);

  /// Applies \p Change to each time after \p Now.
  template <typename Function> void changeAfter(double Now, Function Change) {
    if (OpenDone > Now)
      OpenDone = Change(OpenDone);
    for (double &Cycle : Done)
      if (Cycle > Now)
        Cycle = Change(Cycle);
  }

private:
  double OpenDone = 0;
  /// Of the closed groups, the youngest last.
  llvm::SmallVector<double, 4> Done;
  /// Groups that were closed so far.
  uint64_t NumClosed = 0;
};

/// By AsyncKind.
using AllAsyncGroups = std::array<AsyncGroups, NumAsyncKinds>;

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_ASYNCGROUPS_H
