//===- FindingTableTest.cpp - Findings beside the counters ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindingTable.h"
#include "gpuocc/Report/RuleIds.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// A kernel whose load at a.cu:7 takes \p Sectors where 4 would do.
CaseResult loadOf(double Sectors) {
  CaseResult Case;
  Case.Truth.Id = "suite/program/kernel";
  TruthAccess Load;
  Load.Space = "global";
  Load.Op = "ld";
  Load.WarpInstructions = 10;
  Load.SectorsPerInst = Sectors;
  Load.IdealSectorsPerInst = 4;
  Case.Truth.Lines = {{"dir/a.cu", 7, {Load}, {}}};
  Case.Predicted.emplace();
  return Case;
}

void find(CaseResult &Case, unsigned Line) {
  Finding F;
  F.Rule = RuleId::UncoalescedAccess;
  SourcePlace Place;
  Place.File = "elsewhere/a.cu";
  Place.Line = Line;
  F.Location.Places = {Place};
  Case.Predicted->Findings.push_back(F);
}

Judgement onlyJudgement(const CaseResult &Case) {
  std::vector<FindingRow> Rows = judgeFindings(Case);
  EXPECT_EQ(Rows.size(), 1u);
  return Rows.empty() ? Judgement::NotJudged : Rows[0].Verdict;
}

} // namespace

TEST(FindingTable, CountersOfTheLineDecide) {
  CaseResult Wasteful = loadOf(32), Ideal = loadOf(4), Elsewhere = loadOf(32);
  find(Wasteful, 7);
  EXPECT_EQ(onlyJudgement(Wasteful), Judgement::Right);
  find(Ideal, 7);
  EXPECT_EQ(onlyJudgement(Ideal), Judgement::Wrong);
  find(Elsewhere, 9);
  EXPECT_EQ(onlyJudgement(Elsewhere), Judgement::NotJudged);
}

TEST(FindingTable, WasteWithoutAFindingIsAMiss) {
  EXPECT_EQ(onlyJudgement(loadOf(32)), Judgement::Missed);
  EXPECT_TRUE(judgeFindings(loadOf(5)).empty());
}

TEST(FindingTable, SharesAreOfWhatIsJudged) {
  CaseResult Right = loadOf(32), Wrong = loadOf(4), Missed = loadOf(32);
  find(Right, 7);
  find(Wrong, 7);
  std::vector<FindingRow> Rows;
  for (const CaseResult *C : {&Right, &Wrong, &Missed})
    for (const FindingRow &Row : judgeFindings(*C))
      Rows.push_back(Row);
  FindingTotals S = summarizeFindings(Rows, RuleId::UncoalescedAccess);
  EXPECT_EQ(S.precision(), 0.5);
  EXPECT_EQ(S.recall(), 0.5);
}

TEST(FindingTable, WhereNothingIsJudgedThereIsNoShare) {
  FindingTotals S = summarizeFindings({}, RuleId::UncoalescedAccess);
  EXPECT_FALSE(S.precision());
  EXPECT_FALSE(S.recall());
}
