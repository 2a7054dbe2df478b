//===- NewestResults.h - Recorded grids of a device -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_NEWESTRESULTS_H
#define GPUOCC_TOOLS_ACCURACY_NEWESTRESULTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// The newest folder of \p Device under calibration/results that has grids;
/// folders are named by date.
llvm::Expected<std::string> newestResults(llvm::StringRef Device);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_NEWESTRESULTS_H
