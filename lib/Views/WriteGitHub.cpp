//===- WriteGitHub.cpp - Annotations of GitHub Actions --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// \p Text as the data of a workflow command; a \p IsProperty ends at ':' and
/// ',' too. Source: GitHub's actions/toolkit, packages/core/src/command.ts.
static std::string escaped(StringRef Text, bool IsProperty) {
  std::string Out;
  for (char C : json::fixUTF8(Text)) {
    if (C == '%' || C == '\r' || C == '\n' ||
        (IsProperty && (C == ':' || C == ','))) {
      raw_string_ostream(Out) << '%' << hexdigit(C >> 4) << hexdigit(C & 15);
      continue;
    }
    // Other control characters have no place in an annotation.
    Out += isPrint(C) || (C & 0x80) ? C : ' ';
  }
  return Out;
}

Error gpuocc::writeGitHub(const Report &R, const ViewOptions &Options,
                          raw_ostream &OS) {
  for (const Problem &P : collectProblems(R)) {
    OS << (P.What->Gain ? "::warning " : "::notice ");
    if (P.Place.isValid()) {
      OS << "file="
         << escaped(fileBelow(P.Place.File, Options.BaseDirectory), true)
         << ",line=" << P.Place.Line;
      if (P.Place.Column != 0)
        OS << ",col=" << P.Place.Column;
      OS << ',';
    }
    OS << "title=" << ruleName(P.What->Rule)
       << "::" << escaped(P.What->text(), false) << '\n';
  }
  return Error::success();
}
