//===- ZhangOwens.h - the model of Zhang and Owens 2011 ---------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_ZHANGOWENS_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_ZHANGOWENS_H

#include "AlphaMix.h"

namespace gpuocc::zhangowens {

/// Groups per cycle when an SM at the occupancy in question executes
/// \p AluPerCycle instructions if all are arithmetic, and \p MemPerCycle if all
/// are memory instructions; the two are taken to overlap:
///
///   min(alu / alpha, mem)
///
/// Source: Zhang and Owens 2011; Volkov 2016, section 7.3. The rates come from
/// microbenchmarks at the same occupancy.
double throughputFromRates(double Alpha, double AluPerCycle,
                           double MemPerCycle);

/// The same when the two times add (Volkov 2016, sections 4.12 and 7.3).
double addedThroughputFromRates(double Alpha, double AluPerCycle,
                                double MemPerCycle);

/// throughputFromRates() with min(warps / latency, peak) for both rates.
///
/// Source: Volkov 2016, section 4.11.
double throughput(const AlphaMix &M, double Warps);

} // namespace gpuocc::zhangowens

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_ZHANGOWENS_H
