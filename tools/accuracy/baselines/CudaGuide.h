//===- CudaGuide.h - needed warps by the CUDA guide -------------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_CUDAGUIDE_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_CUDAGUIDE_H

#include "AlphaMix.h"

namespace gpuocc::cudaguide {

/// Warps per SM that hide memory latency; arithmetic latency and memory
/// bandwidth are not considered:
///
///   warps = mem_lat alu_thru / alpha
///
/// \p M.Alpha > 0. Source: NVIDIA, CUDA C Programming Guide 5.5, section
/// 5.2.3, as summarized in Volkov 2016, section 4.8.
double neededWarps(const AlphaMix &M);

/// The same with the memory instruction and the stalled warp counted:
///
///   warps = mem_lat alu_thru / (alpha + 1) + 1
///
/// Source: Volkov 2016, section 4.8.
double neededWarpsCountingAll(const AlphaMix &M);

/// Groups per cycle with \p Warps resident if each warp short of neededWarps()
/// costs its share of the arithmetic peak:
///
///   min(warps / mem_lat, alu_thru / alpha)
///
/// The guide states the needed warps only; this reading adds nothing to it but
/// proportion.
double throughput(const AlphaMix &M, double Warps);

} // namespace gpuocc::cudaguide

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_CUDAGUIDE_H
