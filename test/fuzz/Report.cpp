//===- Report.cpp - Reports -----------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Report.h"
#include "Fuzz.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Report/ReportSummary.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

static std::string textOf(const Report &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  writeJSON(J, R);
  return Text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<ReportSummary> Summary =
      parseReportSummary(text(Data, Size), "report.json");
  (void)isRead(Summary);
  Expected<Report> Read = parseReport(text(Data, Size), "report.json");
  if (!isRead(Read))
    return 0;
  const std::string Text = textOf(*Read);
  Expected<Report> Again = parseReport(Text, "again.json");
  require(isRead(Again) && textOf(*Again) == Text, "reports survive JSON");
  return 0;
}
