//===- RatesJSON.h - Rates and rooflines in the public report ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_RATESJSON_H
#define GPUOCC_LIB_VIEWS_RATESJSON_H

#include "gpuocc/Model/Roofline.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// `rates` and `roofline` of docs/report.schema.json.
llvm::json::Value ratesJSON(const Rates &R);
llvm::json::Value rooflineJSON(const Roofline &R);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_RATESJSON_H
