//===- SeenInLaunch.h - What threads read in a launch that ran --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_SEENINLAUNCH_H
#define GPUOCC_TOOLS_DRIVER_SEENINLAUNCH_H

#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/SeenReads.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"
#include <memory>

namespace gpuocc {

/// The reads that were kept of \p L, of the kernel \p Facts; null where none
/// were.
std::shared_ptr<const SeenReads> seenIn(const RecordedLaunch &L,
                                        const KernelFacts &Facts);

/// The turns that were counted in \p L; null where none were.
std::shared_ptr<const CountedTurns> turnsIn(const RecordedLaunch &L);

/// What warps executed that ran ahead of \p L; null where none did.
std::shared_ptr<const ExecutedCounts> executedIn(const RecordedLaunch &L);

/// Has walks with \p Options follow \p Seen; null changes nothing.
void followSeen(std::shared_ptr<const SeenReads> Seen, LanesOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_SEENINLAUNCH_H
