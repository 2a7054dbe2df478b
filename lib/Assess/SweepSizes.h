//===- SweepSizes.h - Times over sizes of a problem ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_SWEEPSIZES_H
#define GPUOCC_LIB_ASSESS_SWEEPSIZES_H

#include "DecidingArguments.h"
#include "gpuocc/Report/SizeSweep.h"

namespace gpuocc {

/// Predicts \p Facts for sizes from 2^16 to 2^28 elements where the grid of
/// \p L follows from one or two arguments: they bound the indices of its
/// threads and nothing else that is not known decides the time. Otherwise
/// unknown, with the reason. \p Walked as for decidingArguments().
Known<SizeSweep> sweepSizes(const KernelFacts &Walked, const KernelFacts &Facts,
                            const Launch &L, Predictor &Model,
                            const AssessOptions &Options, Profiler Profile);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_SWEEPSIZES_H
