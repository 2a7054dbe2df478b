//===- SweepView.h - Times over sizes in words and JSON --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_SWEEPVIEW_H
#define GPUOCC_LIB_VIEWS_SWEEPVIEW_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// "n = 2^16: 3.4 us (0.052 ns an element), ...; a sweep over an assumed
/// launch: ...". \p K has a sweep.
std::string sweepText(const KernelReport &K);

/// docs/report.schema.json describes it. \p K has a sweep.
llvm::json::Value sweepJSON(const KernelReport &K);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_SWEEPVIEW_H
