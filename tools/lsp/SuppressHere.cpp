//===- SuppressHere.cpp - A comment that silences a finding ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "gpuocc/Report/Problems.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

std::vector<Cure> editor::suppressHere(const Patient &P) {
  StringRef Line = P.Text.line(P.Line);
  // A comment would end the line that goes on.
  if (Line.ends_with("\\"))
    return {};
  StringRef Rule = ruleName(P.What.What->Rule);
  const size_t End = P.Text.offsetOf(
      llvm::lsp::Position(int(P.Line), std::numeric_limits<int>::max()));
  return {{"suppress " + Rule.str() + " here",
           {{End, 0, " // NOLINT(gpu-occupancy-" + Rule.str() + ")"}}}};
}
