//===- ParallelismJSON.h - Parallelism in the public report -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PARALLELISMJSON_H
#define GPUOCC_LIB_VIEWS_PARALLELISMJSON_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// `parallelism`, `dependency_chain` and `occupancy_roofline` of
/// docs/report.schema.json.
llvm::json::Value parallelismJSON(const KernelReport &K);
llvm::json::Value dependencyChainJSON(const KernelReport &K);
llvm::json::Value occupancyRooflineJSON(const OccupancyRoofline &R);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PARALLELISMJSON_H
