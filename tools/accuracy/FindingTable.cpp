//===- FindingTable.cpp - Findings beside what the counters show ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindingTable.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::judgementText(Judgement J) {
  static constexpr StringRef Words[] = {"right", "wrong", "not judged",
                                        "missed"};
  return Words[size_t(J)];
}

namespace {

/// What the counters say of a line: done and ideal, or executions that diverge
/// and all.
struct Measured {
  double Done = 0, Ideal = 0;
};

/// File (base name) and line.
using LinePlace = std::pair<std::string, unsigned>;
using MeasuredLines = std::map<LinePlace, Measured>;

} // namespace

static void addAccess(const TruthAccess &A, RuleId Rule, Measured &M) {
  const bool IsShared = StringRef(A.Space) == "shared";
  if (Rule == RuleId::UncoalescedAccess && StringRef(A.Space) == "global" &&
      A.SectorsPerInst && A.IdealSectorsPerInst) {
    M.Done += *A.SectorsPerInst * A.WarpInstructions;
    M.Ideal += *A.IdealSectorsPerInst * A.WarpInstructions;
  }
  if (Rule == RuleId::BankConflict && IsShared && A.WavefrontsPerInst &&
      A.IdealWavefrontsPerInst) {
    M.Done += *A.WavefrontsPerInst * A.WarpInstructions;
    M.Ideal += *A.IdealWavefrontsPerInst * A.WarpInstructions;
  }
}

static MeasuredLines measuredLines(const TruthCase &T, RuleId Rule) {
  MeasuredLines Lines;
  for (const TruthLine &L : T.Lines) {
    Measured M;
    for (const TruthAccess &A : L.Accesses)
      addAccess(A, Rule, M);
    for (const TruthBranch &B : L.Branches)
      if (Rule == RuleId::DivergentBranch && B.DivergentFraction &&
          B.NumPredicated != 0) {
        M.Done += *B.DivergentFraction * B.WarpInstructions;
        M.Ideal += B.WarpInstructions;
      }
    if (M.Ideal > 0)
      Lines[{sys::path::filename(L.File).str(), L.Line}] = M;
  }
  return Lines;
}

static double threshold(RuleId Rule, bool Matters) {
  switch (Rule) {
  case RuleId::UncoalescedAccess:
    return Matters ? SectorsThatMatter : WastedSectors;
  case RuleId::BankConflict:
    return WastedWavefronts;
  default:
    return WastedBranches;
  }
}

/// What a line weighs in its kernel.
static double weightOf(RuleId Rule, const Measured &M) {
  return Rule == RuleId::DivergentBranch ? M.Ideal : M.Done;
}

static std::vector<FindingRow> judge(const CaseResult &Case, RuleId Rule) {
  std::vector<FindingRow> Rows;
  const MeasuredLines Lines = measuredLines(Case.Truth, Rule);
  for (const Finding &F : Case.Predicted->Findings) {
    if (F.Rule != Rule)
      continue;
    FindingRow Row;
    Row.Case = &Case;
    Row.Rule = Rule;
    // Measurements name the innermost place, messages may name an outer one.
    for (const SourcePlace &P : F.Location.Places) {
      Row.File = sys::path::filename(P.File).str();
      Row.Line = P.Line;
      auto Found = Lines.find({Row.File, Row.Line});
      if (Found == Lines.end())
        continue;
      Row.Measured = Found->second.Done / Found->second.Ideal;
      Row.Verdict = Row.Measured >= threshold(Rule, false) ? Judgement::Right
                                                           : Judgement::Wrong;
      break;
    }
    Row.IsShown = !F.Gain || *F.Gain >= AssessOptions().MinimumGain;
    Rows.push_back(std::move(Row));
  }
  if (!Rows.empty())
    return Rows;
  double All = 0;
  for (const auto &[Place, M] : Lines)
    All += weightOf(Rule, M);
  FindingRow Miss;
  double Worst = 0;
  for (const auto &[Place, M] : Lines) {
    double Ratio = M.Done / M.Ideal;
    if (Ratio < threshold(Rule, true) ||
        weightOf(Rule, M) < ShareThatMatters * All || M.Done <= Worst)
      continue;
    Worst = M.Done;
    Miss.Case = &Case;
    Miss.Rule = Rule;
    std::tie(Miss.File, Miss.Line) = Place;
    Miss.Verdict = Judgement::Missed;
    Miss.Measured = Ratio;
  }
  if (Worst > 0)
    Rows.push_back(std::move(Miss));
  return Rows;
}

std::vector<FindingRow> gpuocc::judgeFindings(const CaseResult &Case) {
  std::vector<FindingRow> All;
  for (RuleId Rule : JudgedRules)
    for (FindingRow &Row : judge(Case, Rule))
      All.push_back(std::move(Row));
  return All;
}

static std::optional<double> share(unsigned Part, unsigned Whole) {
  if (Whole == 0)
    return std::nullopt;
  return double(Part) / Whole;
}

std::optional<double> FindingTotals::precision() const {
  return share(NumRight, NumRight + NumWrong);
}

std::optional<double> FindingTotals::recall() const {
  return share(NumKernelsFound, NumKernelsFound + NumMissed);
}

FindingTotals gpuocc::summarizeFindings(ArrayRef<FindingRow> Rows,
                                        RuleId Rule) {
  FindingTotals S;
  std::set<const CaseResult *> Found;
  for (const FindingRow &Row : Rows) {
    if (Row.Rule != Rule)
      continue;
    S.NumRight += Row.IsShown && Row.Verdict == Judgement::Right;
    S.NumWrong += Row.IsShown && Row.Verdict == Judgement::Wrong;
    S.NumNotJudged += Row.IsShown && Row.Verdict == Judgement::NotJudged;
    S.NumMissed += Row.Verdict == Judgement::Missed;
    if (Row.Verdict == Judgement::Right)
      Found.insert(Row.Case);
  }
  S.NumKernelsFound = unsigned(Found.size());
  return S;
}

void gpuocc::printFindingMisses(ArrayRef<FindingRow> Rows, raw_ostream &OS) {
  OS << formatv("{0,-44} {1,-18} {2,-34} {3,9} {4}\n", "case", "finding",
                "line", "measured", "verdict");
  for (const FindingRow &Row : Rows)
    if (Row.IsShown && Row.Verdict != Judgement::Right)
      OS << formatv("{0,-44} {1,-18} {2,-34} {3,9} {4}\n",
                    StringRef(Row.Case->Truth.Id).split('/').second,
                    ruleName(Row.Rule), Row.File + ":" + Twine(Row.Line).str(),
                    formatNumber(Row.Measured), judgementText(Row.Verdict));
}

void gpuocc::printSummary(StringRef Title, ArrayRef<FindingRow> Rows,
                          raw_ostream &OS) {
  OS << Title << ", findings:\n";
  for (RuleId Rule : JudgedRules) {
    FindingTotals S = summarizeFindings(Rows, Rule);
    OS << formatv("  {0,-18} right {1} of {2} judged ({3}), {4} not judged; "
                  "found in {5} of {6} kernels with waste ({7})\n",
                  ruleName(Rule), S.NumRight, S.NumRight + S.NumWrong,
                  percentOf(S.precision()), S.NumNotJudged, S.NumKernelsFound,
                  S.NumKernelsFound + S.NumMissed, percentOf(S.recall()));
  }
}

void gpuocc::writeSummary(ArrayRef<FindingRow> Rows, json::OStream &J) {
  for (RuleId Rule : JudgedRules) {
    FindingTotals S = summarizeFindings(Rows, Rule);
    J.attributeObject(ruleName(Rule), [&] {
      J.attribute("right", S.NumRight);
      J.attribute("wrong", S.NumWrong);
      J.attribute("not_judged", S.NumNotJudged);
      J.attribute("missed", S.NumMissed);
      J.attribute("precision", S.precision());
      J.attribute("recall", S.recall());
    });
  }
}
