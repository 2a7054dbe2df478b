//===- IntervalOf.h - The interval of one launch ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_INTERVALOF_H
#define GPUOCC_LIB_ASSESS_INTERVALOF_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Prediction.h"
#include <optional>

namespace gpuocc {

struct DeviceModel;

/// Nothing bounds how often \p L repeats, and it is entered.
bool isOpenEnded(const LoopProfile &L);

/// Does some warp multiply in tensor memory, of which nothing is known?
bool lacksProducts(const KernelFacts &Facts, const ExecutionProfile &Profile);

/// The interval of the time that \p P predicts: how well the model does, and
/// wider where \p Profile has unknown trip counts or odds, where
/// threads meet at compare-and-swaps that they may give up, and where numbers
/// of \p Device were derived or are missing. \p OffByBorrowed: by what factor
/// the missing ones may shift the time.
Known<TimeInterval> intervalOf(const KernelFacts &Facts,
                               const ExecutionProfile &Profile,
                               const Prediction &P, const Launch &L,
                               const DeviceModel &Device, double OffByBorrowed);

/// Widens the interval of \p P to the times that the launch takes if all warps
/// go where no walked warp goes, of those \p Probabilities that are evaluated
/// and decide.
void coverOtherWays(Prediction &P,
                    llvm::ArrayRef<BranchProbabilityProfile> Probabilities);

/// The same to \p Ns, the time that the launch takes if neighbouring lanes go
/// to neighbouring places where loaded indices choose them (DrawnNeighbors.h).
void coverDrawnNeighbors(Prediction &P, std::optional<double> Ns);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_INTERVALOF_H
