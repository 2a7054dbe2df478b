//===- PageData.h - What the HTML page adds to the report -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PAGEDATA_H
#define GPUOCC_LIB_VIEWS_PAGEDATA_H

#include "gpuocc/Views/ReportView.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// What the page shows and the public JSON report lacks:
///
///   resources  words for the keys of resources
///   sources    per file, the text of the lines near findings and waits, by
///              line number; empty without ViewOptions::ReadSource
///   kernels    per kernel of \p R:
///     latency    cycles of one warp
///     waits      lines of the warp's path: file, line, cycles, why
///     lanes      by index of the finding: how lanes lie in the access that it
///                speaks of
///     occupancy  blocks per SM that single resources allow, for the panel that
///                asks what if; null where the architecture is not known
llvm::json::Value pageData(const Report &R, const ViewOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PAGEDATA_H
