//===- LaunchesToGive.h - Kernels without a time ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What holds of a kernel without a launch, and how to give it one.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_LAUNCHESTOGIVE_H
#define GPUOCC_VIEWS_LAUNCHESTOGIVE_H

#include "gpuocc/Report/Report.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Do arguments decide the time of \p K that nobody gave? What is predicted of
/// its rates and bounds rests on them then.
bool isUndecided(const KernelReport &K);

/// "128: 64, 256: 64, 512: 48 warps per SM": the occupancy of \p K by threads
/// of a block; empty where the limits of its architecture are not known, and
/// where its code requires a block.
std::string occupancyByBlockText(const KernelReport &K);

/// How to get times for the kernels of \p R that have none; empty where all do.
std::string howToGetTimes(const Report &R);

/// The lines of a configuration with a launch for each kernel of \p R without a
/// time. What has to be filled in is commented out, so that the lines can be
/// read as they are.
llvm::Error writeLaunchesToGive(const Report &R, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_LAUNCHESTOGIVE_H
