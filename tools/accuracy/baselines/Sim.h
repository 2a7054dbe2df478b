//===- Sim.h - the model of Sim et al. 2012 ---------------------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_SIM_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_SIM_H

#include "AlphaMix.h"

namespace gpuocc::sim {

/// Memory warp parallelism: min(warps, mem_lat mem_thru). The cap by the
/// departure delay repeats the one by bandwidth and is left out.
///
/// Source: Sim et al. 2012, equation A.5; Volkov 2016, section 7.4 and Table
/// 7.1.
double memoryWarpParallelism(const AlphaMix &M, double Warps);

/// Computation warp parallelism:
///
///   CWP = min(warps, 1 + mem_lat / ((alpha + 1) max(alu_lat / warps,
///                                                   1 / alu_thru)))
///
/// Source: Sim et al. 2012, equations 4, 5 and A.1 to A.4; Volkov 2016, section
/// 7.4.
double computationWarpParallelism(const AlphaMix &M, double Warps);

/// Cycles in which the arithmetic units process a group of each of \p Warps:
///
///   T_comp = (alpha + 1) warps max(alu_lat / warps, 1 / alu_thru)
///
/// Source: Sim et al. 2012, equations 2 to 6; Volkov 2016, section 7.4.
double computationCycles(const AlphaMix &M, double Warps);

/// Cycles in which memory processes a group of each of \p Warps:
///
///   T_mem = warps mem_lat / min(MWP, max(1, CWP - 1))
///
/// Source: Sim et al. 2012, equations 11 to 15; Volkov 2016, section 7.4.
double memoryCycles(const AlphaMix &M, double Warps);

/// Groups per cycle with \p Warps resident.
///
/// Source: Sim et al. 2012, equations 1, 16 and 17; Volkov 2016, section 7.4.
double throughput(const AlphaMix &M, double Warps);

} // namespace gpuocc::sim

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_SIM_H
