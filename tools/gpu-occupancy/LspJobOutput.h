//===- LspJobOutput.h - From a job to the server ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOBOUTPUT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOBOUTPUT_H

#include "driver/Session.h"
#include <map>

namespace gpuocc {

/// A report whose kernels have keys (\see ReportKeys).
struct KeyedReport {
  Report What;
  /// Of each kernel of What.
  std::vector<std::string> Keys;
};

/// Writes a line of JSON with the keys of \p Known, which Session::assessAll()
/// filled, and one with \p Made.
void writeJobOutput(const Report &Made, const KnownReports &Known,
                    llvm::raw_ostream &OS);

/// Reads what writeJobOutput() wrote of \p File, and takes the reports that are
/// left out there from \p Earlier. Fails when \p Output is something else, or a
/// report is in neither.
llvm::Expected<KeyedReport>
readJobOutput(llvm::StringRef Output, llvm::StringRef File,
              const std::map<std::string, const KernelReport *> &Earlier);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOBOUTPUT_H
