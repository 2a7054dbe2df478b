//===- HongKim.h - the model of Hong and Kim 2009 ---------------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_HONGKIM_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_HONGKIM_H

#include "AlphaMix.h"

namespace gpuocc::hongkim {

/// Memory warp parallelism: warps of an SM that access memory at once,
///
///   MWP = min(warps, mem_lat mem_thru)
///
/// with M.MemPerCycle that of the pin bandwidth, as in the original. The cap by
/// the departure delay is looser for coalesced accesses and left out.
/// Source: Hong and Kim 2009, equations 5 to 7; Volkov 2016, section 7.1.
double memoryWarpParallelism(const AlphaMix &M, double Warps);

/// Computation warp parallelism: computational periods that fit in the wait
/// for one memory access, and one more,
///
///   CWP = min(warps, (mem_lat + comp) / comp),  comp = (alpha + 1) / alu_thru
///
/// Source: Hong and Kim 2009, equations 8 and 9; Volkov 2016, sections 4.9 and
/// 7.1.
double computationWarpParallelism(const AlphaMix &M, double Warps);

/// Groups per cycle with \p Warps resident; arithmetic latency is ignored.
///
/// Source: Hong and Kim 2009, equations 22 to 24 for many groups per warp;
/// Volkov 2016, section 7.1.
double throughput(const AlphaMix &M, double Warps);

} // namespace gpuocc::hongkim

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_HONGKIM_H
