//===- ReportView.cpp - The forms that a report can take ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/ReportView.h"
#include "gpuocc/Views/WriteJSON.h"
#include "gpuocc/Views/WriteText.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static Error textView(const Report &R, const ViewOptions &Options,
                      raw_ostream &OS) {
  TextOptions Text;
  Text.MaxFindings = Options.MaxFindings;
  return writeText(R, Text, OS);
}

static Error jsonView(const Report &R, const ViewOptions &Options,
                      raw_ostream &OS) {
  JSONOptions JSON;
  JSON.Contents = Options.Contents;
  if (Options.Contents == JSONContents::OnlyData ||
      Options.Contents == JSONContents::ToCompare)
    JSON.IndentSpaces = 0;
  return writeJSON(R, JSON, OS);
}

static constexpr ReportView Views[] = {
    {"text", "for a terminal", textView},
    {"summary", "one screen over all kernels", writeSummary},
    {"remarks", "a line for each finding, as compilers write them",
     writeRemarks},
    {"json", "the whole report; docs/report.schema.json", jsonView},
    {"yaml", "records as -fsave-optimization-record writes them", writeYaml},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", writeSarif},
    {"github", "annotations of GitHub Actions", writeGitHub},
    {"markdown", "tables for a comment on a change", writeMarkdown},
    {"html", "one page to look at, with charts and sources", writeHtml},
};

ArrayRef<ReportView> gpuocc::reportViews() { return Views; }

const ReportView *gpuocc::findReportView(StringRef Name) {
  const ReportView *Found =
      find_if(Views, [&](const ReportView &V) { return V.Name == Name; });
  return Found == std::end(Views) ? nullptr : Found;
}
