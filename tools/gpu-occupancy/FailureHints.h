//===- FailureHints.h - What to do about files that failed ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_FAILUREHINTS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_FAILUREHINTS_H

#include "RunJobs.h"

namespace gpuocc {

/// Says on standard error, once each, which macros were guessed for files of
/// \p Jobs, and of those without a report: which macros they lack, and which
/// headers that a build makes.
void tellHints(llvm::ArrayRef<SourceJob> Jobs,
               llvm::ArrayRef<JobOutcome> Outcomes);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_FAILUREHINTS_H
