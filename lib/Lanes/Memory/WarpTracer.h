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
  WarpTrace take() { return std::move(Trace); }

  void onAccess(const AccessEvent &E) override;

private:
  void add(const RequestAddresses &R);

  const KernelFacts &Facts;
  const MemoryGeometry &G;
  const unsigned SectorsPerLine;
  uint64_t WarpKey = 0;
  WarpTrace Trace;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_WARPTRACER_H
