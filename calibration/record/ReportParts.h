//===- ReportParts.h - The script of a database's page ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_REPORTPARTS_H
#define GPUOCC_CALIBRATION_RECORD_REPORTPARTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// calibration/record/html/database.js, embedded by cmake/EmbedPage.cmake.
llvm::StringRef databaseScript();

} // namespace gpuocc

#endif // GPUOCC_CALIBRATION_RECORD_REPORTPARTS_H
