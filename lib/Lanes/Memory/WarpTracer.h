//===- WarpTracer.h - The lines that a warp touches -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_WARPTRACER_H
#define GPUOCC_LIB_LANES_MEMORY_WARPTRACER_H

#include "Walk/LaunchInputs.h"
#include "Walk/WalkEvents.h"
#include <utility>
#include <vector>

namespace gpuocc {

struct RequestAddresses;

/// Writes down the lines that a warp touches.
class WarpTracer final : public WalkObserver {
public:
  WarpTracer(const KernelFacts &Facts, const MemoryGeometry &G);

  /// The walk of another warp begins. Warps with the same \p Key have the same
  /// local memory.
  void begin(uint64_t Key);
  /// The trace of the walk that has ended.
  WarpTrace take();

  void onBlock(uint32_t Block, LaneMask Active, double Weight) override;
  void onAccess(const AccessEvent &E) override;
  void onTurnsLeftOut(uint32_t Loop, uint64_t Turns) override;

private:
  void add(const RequestAddresses &R, bool IsLocal);
  /// The walk goes on from operation \p Next, all before \p End are done.
  void goOn(uint32_t End, uint32_t Next);

  const KernelFacts &Facts;
  const MemoryGeometry &G;
  const unsigned SectorsPerLine;
  /// Fences of the GPU and barriers before each operation, and in all.
  std::vector<uint32_t> FencesBefore, BarriersBefore;
  /// The operation that comes next, the end of its block, and whether a fence
  /// was passed since the last request.
  uint32_t NextOp = 0, EndOfBlock = 0;
  bool IsBehindFence = false;
  /// For each access the turns that were left out since its last request.
  std::vector<uint64_t> TurnsLeftOut;
  uint64_t WarpKey = 0;
  WarpTrace Trace;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_WARPTRACER_H
