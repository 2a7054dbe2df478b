//===- Hints.cpp - Costs at the ends of lines -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hints.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleIds.h"
#include <climits>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// What \p P costs, in a word or two; empty: nothing that has a number.
static std::string costOf(const Problem &P) {
  const Finding &F = *P.What;
  const ExecutionProfile &Profile = P.Kernel->Profile;
  if (F.Access < Profile.Accesses.size()) {
    const AccessProfile &A = Profile.Accesses[F.Access];
    if (F.Rule == RuleId::UncoalescedAccess)
      return formatCount(A.SectorsPerRequest, "sector");
    if (F.Rule == RuleId::BankConflict && A.IdealWavefrontsPerRequest > 0)
      return formatNumber(A.WavefrontsPerRequest /
                          A.IdealWavefrontsPerRequest) +
             "-way";
  }
  return F.Gain ? formatRatio(*F.Gain) : "";
}

std::vector<lsp::InlayHint> editor::hintsOf(const Unit &Of,
                                            const ShownFile &Shown,
                                            const lsp::Range &Range) {
  std::map<int, std::string> ByLine;
  if (!Of.Good.What)
    return {};
  for (const Problem &P : collectProblems(*Of.Good.What)) {
    std::optional<lsp::Range> Place = Shown.rangeOf(P.Place);
    std::string Cost = costOf(P);
    if (!Place || Cost.empty() || Place->start.line < Range.start.line ||
        Place->start.line > Range.end.line)
      continue;
    std::string &Line = ByLine[Place->start.line];
    if (StringRef(Line).contains(Cost))
      continue;
    Line += Line.empty() ? Cost : ", " + Cost;
  }
  std::vector<lsp::InlayHint> Out;
  for (const auto &[Line, Label] : ByLine) {
    const Document &Text = Shown.text();
    lsp::Position End =
        Text.positionOf(Text.offsetOf(lsp::Position(Line, INT_MAX)));
    lsp::InlayHint Hint(lsp::InlayHintKind::Type, End);
    Hint.label = Label;
    Hint.paddingLeft = true;
    Out.push_back(std::move(Hint));
  }
  return Out;
}
