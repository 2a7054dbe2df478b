//===- Report.h - A database as a page to read -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_REPORT_H
#define GPUOCC_CALIBRATION_RECORD_REPORT_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpuocc::calibration {

/// A self-contained HTML page: tables of all numbers with spread and origin,
/// and charts of curves and tables. Loads nothing.
std::string htmlReport(const llvm::json::Object &Database);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_REPORT_H
