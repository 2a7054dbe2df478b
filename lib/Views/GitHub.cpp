//===- GitHub.cpp - Workflow commands of GitHub Actions -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GitHub.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// \p Text as the data of a workflow command; a property ends at ':' and ','
/// too. Source: GitHub's actions/toolkit, packages/core/src/command.ts.
static std::string escaped(StringRef Text, bool IsProperty) {
  std::string Out;
  for (char C : json::fixUTF8(Text)) {
    bool IsSpecial = C == '%' || C == '\r' || C == '\n' ||
                     (IsProperty && (C == ':' || C == ','));
    if (IsSpecial) {
      Out += '%';
      Out += hexdigit(C >> 4);
      Out += hexdigit(C & 15);
      continue;
    }
    // Other control characters have no place in an annotation.
    Out += isPrint(C) || (C & 0x80) ? C : ' ';
  }
  return Out;
}

void gpuocc::writeAnnotation(const Annotation &A, raw_ostream &OS) {
  OS << "::" << A.Level << ' ';
  if (!A.File.empty()) {
    OS << "file=" << escaped(A.File, true) << ',';
    if (A.Line != 0)
      OS << "line=" << A.Line << ',';
    if (A.Column != 0)
      OS << "col=" << A.Column << ',';
  }
  OS << "title=" << escaped(A.Title, true) << "::" << escaped(A.Message, false)
     << '\n';
}
