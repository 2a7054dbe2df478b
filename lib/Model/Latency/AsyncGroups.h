//===- AsyncGroups.h - Work that runs beside a warp -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies to shared memory (cp.async) and products of warp groups
/// (wgmma.mma_async) run beside the warp that starts them. The warp closes
/// groups of them and waits until all but the youngest groups are done.
///
/// Source: PTX ISA 9.0, 9.7.9.25.3 (cp.async) and 9.7.15 (wgmma).
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

enum class AsyncKind : uint8_t { Copy, Product };
constexpr unsigned NumAsyncKinds = unsigned(AsyncKind::Product) + 1;

/// What an operation has to do with groups of one kind.
struct GroupPart {
  AsyncKind Kind = AsyncKind::Copy;
  /// Belongs to the group that is open.
  bool IsMember = false;
  /// Closes the open group.
  bool Commits = false;
  /// Waits until MayRemain groups are left, or for all work, in no group too.
  bool Waits = false, WaitsForAll = false;
  unsigned MayRemain = 0;
};

/// The part of \p Op of \p Facts.
GroupPart groupPart(const KernelFacts &Facts, const Operation &Op);

/// When the groups of a kind are done, cycles of the clock of the warp. They
/// end in the order in which they began.
class AsyncGroups {
public:
  void add(double DoneCycle) { OpenDone = std::max(OpenDone, DoneCycle); }
  void commit();

  /// When a wait of \p Part is over.
  double doneCycle(const GroupPart &Part) const;

  /// Moves what ends after \p Now by \p Cycles.
  void shift(double Now, double Cycles);

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
};

/// By AsyncKind.
using AllAsyncGroups = std::array<AsyncGroups, NumAsyncKinds>;

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_ASYNCGROUPS_H
