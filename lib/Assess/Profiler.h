//===- Profiler.h - Profiles of a kernel for other launches -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PROFILER_H
#define GPUOCC_LIB_ASSESS_PROFILER_H

#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// How much of a launch is evaluated.
struct ProfileEffort {
  CacheLevels Levels = CacheLevels::All;
  /// As LanesOptions::DescribesUnreached.
  bool DescribesUnreached = true;
  /// As LanesOptions::StepsTaken.
  uint64_t *StepsTaken = nullptr;

  /// \p Options as far as the effort goes.
  LanesOptions of(LanesOptions Options) const {
    Options.DescribesUnreached &= DescribesUnreached;
    Options.StepsTaken = StepsTaken;
    return Options;
  }
};

/// A profile of \p Levels for a question, which \p Budget pays for.
inline ProfileEffort effortOfQuestion(QuestionBudget *Budget,
                                      CacheLevels Levels) {
  return {Levels, /*DescribesUnreached=*/false,
          Budget ? &Budget->Taken : nullptr};
}

/// The profile of facts for a launch.
using Profiler = llvm::function_ref<ExecutionProfile(
    const KernelFacts &, const Launch &, const MemoryGeometry &,
    const ProfileEffort &)>;

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PROFILER_H
