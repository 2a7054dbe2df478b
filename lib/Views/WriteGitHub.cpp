//===- WriteGitHub.cpp - Annotations of GitHub Actions --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "GitHub.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Views/ReportView.h"

using namespace gpuocc;
using namespace llvm;

static StringRef levelOf(const Finding &F) {
  switch (severityOf(F)) {
  case Severity::Note:
    return "notice";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("all severities are handled");
}

Error gpuocc::writeGitHub(const Report &R, const ViewOptions &Options,
                          raw_ostream &OS) {
  for (const Problem &P : collectProblems(R)) {
    std::string File = fileBelow(P.Place.File, Options.BaseDirectory);
    std::string Message = P.What->text();
    writeAnnotation({levelOf(*P.What), P.Place.isValid() ? StringRef(File) : "",
                     P.Place.Line, P.Place.Column, ruleName(P.What->Rule),
                     Message},
                    OS);
  }
  return Error::success();
}
