//===- SplitReport.h - The kernels of a report's text -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_REPORT_SPLITREPORT_H
#define GPUOCC_LIB_REPORT_SPLITREPORT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// A report whose kernels are apart from the rest, so that they are parsed one
/// by one: the tree of a whole report takes 50 times its text.
struct SplitReport {
  /// With empty arrays in place of the kernels.
  std::string Rest;
  std::vector<llvm::StringRef> Kernels, Refused;

  std::vector<llvm::StringRef> *arrayOf(llvm::StringRef Key) {
    if (Key == "kernels")
      return &Kernels;
    return Key == "cannot_run" ? &Refused : nullptr;
  }
};

/// Absent where \p Text is not of that form; a parser says why.
std::optional<SplitReport> splitReport(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_LIB_REPORT_SPLITREPORT_H
