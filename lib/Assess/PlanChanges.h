//===- PlanChanges.h - Changes that pay one after the other -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PLANCHANGES_H
#define GPUOCC_LIB_ASSESS_PLANCHANGES_H

#include "Rules.h"

namespace gpuocc {

/// One of the changes of \p Found that bring most, then the one that brings
/// most to the kernel it makes, and so on: up to three, and no further than to
/// the ceiling. Of the plans that begin with the first three, the fastest; in
/// large kernels fewer are tried. The ceiling is that of the kernel behind the
/// last step. Unknown where no time is predicted.
Known<Plan> planChanges(const Case &C, const Findings &Found);

/// The time that the data of \p C, moved once, and its arithmetic take.
Known<PlanCeiling> planCeiling(const Case &C);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PLANCHANGES_H
