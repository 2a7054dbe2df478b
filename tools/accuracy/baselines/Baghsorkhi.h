//===- Baghsorkhi.h - the model of Baghsorkhi et al. 2010 -------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_BAGHSORKHI_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_BAGHSORKHI_H

#include "AlphaMix.h"

namespace gpuocc::baghsorkhi {

/// "Latency" of a warp through one group, cycles; the time of an SM is the sum
/// over its warps. With c = alpha max(1 / alu_thru, alu_lat / warps) and i =
/// 1 / alu_thru:
///
///   c + max(i + max(0, 1 / mem_thru - c - i),
///           mem_lat - (warps - 1) (c + i))
///
/// \p Warps > 0. Source: Baghsorkhi et al. 2010, equations 3 to 6; Volkov 2016,
/// section 7.2.
double warpLatency(const AlphaMix &M, double Warps);

/// Groups per cycle with \p Warps resident: 1 / warpLatency.
double throughput(const AlphaMix &M, double Warps);

} // namespace gpuocc::baghsorkhi

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_BAGHSORKHI_H
