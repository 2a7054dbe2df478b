//===- WhereTaken.h - Code that only data lets a warp get to ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (flag[v] == 7)` seldom holds, so that no walked warp gets to the code
/// behind it, which costs nothing then. The predicted time keeps to that; here
/// such code is looked at in a launch in which all warps go there.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_WHERETAKEN_H
#define GPUOCC_LIB_ASSESS_WHERETAKEN_H

#include "Profiler.h"
#include "Rules.h"

namespace gpuocc {

/// No walked warp takes one side of the branch.
inline bool isOneSided(const BranchProbabilityProfile &Of) {
  return Of.Share <= 0 || Of.Share >= 1;
}

/// What the rules find in code of \p C behind branches that no walked warp
/// takes; each finding says where it holds, and its gain is no gain of the
/// launch. Completes \p BranchProbabilities, those of the profile of \p C: what
/// hangs on them, and whether data decides.
Findings findWhereTaken(const Case &C, Profiler Profile,
                        std::vector<BranchProbabilityProfile> &Probabilities);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_WHERETAKEN_H
