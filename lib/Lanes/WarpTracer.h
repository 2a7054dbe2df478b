//===- WarpTracer.h - The lines that a warp touches -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WARPTRACER_H
#define GPUOCC_LIB_LANES_WARPTRACER_H

#include "LaunchInputs.h"
#include "PendingStores.h"
#include "WalkEvents.h"
#include <utility>
#include <vector>

namespace gpuocc {

struct RequestAddresses;

/// One request in a trace: lines Touches[First, First + Count).
struct TraceEvent {
  uint32_t Access = 0;
  uint32_t First = 0, Count = 0;
  double Weight = 1;
};

/// The cached requests of one warp in program order.
struct WarpTrace {
  std::vector<TraceEvent> Events;
  std::vector<LineTouch> Touches;
};

/// True for spaces whose requests may go through L1.
bool isCachedSpace(MemorySpace S);

/// Writes down the lines that a warp touches, and counts the sectors that its
/// stores leave L1 with.
class WarpTracer final : public WalkObserver {
public:
  WarpTracer(const KernelFacts &Facts, const MemoryGeometry &G);

  /// For each access the number of requests of the warp that can be issued
  /// with it.
  llvm::ArrayRef<unsigned> together() const { return Together; }
  /// Of all traces so far.
  llvm::ArrayRef<StoredSectors> stored() const { return Stored; }

  /// The walk of another warp begins. Warps with the same \p Key have the same
  /// local memory.
  void begin(uint64_t Key);
  /// The trace of the walk that has ended.
  WarpTrace take() { return std::move(Trace); }

  void onAccess(const AccessEvent &E) override;

private:
  void add(const RequestAddresses &R);

  const KernelFacts &Facts;
  const MemoryGeometry &G;
  const unsigned SectorsPerLine;
  const std::vector<unsigned> Groups, Together;
  std::vector<StoredSectors> Stored;
  PendingStores Stores;
  uint64_t WarpKey = 0;
  WarpTrace Trace;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WARPTRACER_H
