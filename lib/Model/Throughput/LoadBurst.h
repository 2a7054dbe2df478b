//===- LoadBurst.h - Loads that a block issues at once ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_THROUGHPUT_LOADBURST_H
#define GPUOCC_LIB_MODEL_THROUGHPUT_LOADBURST_H

namespace gpuocc {

class Numbers;
struct ExecutionProfile;
struct KernelFacts;

/// SM cycles from the start of a block's first warp to that of its last, as the
/// pipes see it that all of them pass in the same order.
///
/// Each warp reads constants and special registers, one after the other at the
/// address unit:
///
///   spread = (warps per block - 1) x cycles at the unit
///
/// with what a warp reads outside of loops. (The makespan of identical jobs;
/// see below. Measured on an H200, one block per SM: a warp more lengthens the
/// life of a block by 1.9 cycles where it reads one constant, 6.7 where it
/// reads two and a special register, 2 cycles each, be it for a load from L2 or
/// a store of 128 or of 256 bytes.)
double startSpreadCycles(const KernelFacts &Facts,
                         const ExecutionProfile &Profile,
                         unsigned WarpsPerBlock, Numbers &N);

/// SM cycles by which a block lives longer because its warps start together.
///
/// The warps of a block begin at the same time, so that loads that each of
/// them issues once, in one stretch, come in a burst: the last warp gets its
/// data when that of all has been moved. Its wait lengthens the life of the
/// block, during which no other block takes its slots:
///
///   burst = warps per block x cycles of L2 per warp - cycles of one load
///
/// (whose latency has them) of the stretch (basic block executed once) that
/// takes most. In loops, warps that were parted once stay apart. DRAM does not
/// count: the blocks of other SMs are elsewhere in their lives, and one SM
/// alone sees the same (an H200 that reads 256 bytes a warp takes 6 to 14
/// cycles longer for each warp of a block, whether 1 or 132 SMs do so; 12.8
/// here). (The makespan of identical jobs that pass the same stages in order is
/// the time of one plus, for each further job, the longest stage: Johnson 1954,
/// "Optimal two- and three-stage production schedules".)
double loadBurstCycles(const KernelFacts &Facts,
                       const ExecutionProfile &Profile, unsigned WarpsPerBlock,
                       Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_THROUGHPUT_LOADBURST_H
