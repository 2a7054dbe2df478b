//===- LineTableTest.cpp - Predicted and measured source lines ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineTable.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// A kernel with one load at a.cu:7 and one branch at a.cu:8, on a grid of one
/// warp.
CaseResult oneLoadAndOneBranch() {
  CaseResult Case;
  TruthCase &T = Case.Truth;
  T.Id = "suite/program/kernel";
  T.Block = {32, 1, 1};
  TruthAccess Load;
  Load.Space = "global";
  Load.Op = "ld";
  Load.WarpInstructions = 10;
  Load.SectorsPerInst = 4.0;
  TruthBranch Branch{"BRA", 10, /*NumPredicated=*/1, 0.5, 0.5};
  T.Lines = {{"dir/a.cu", 7, {Load}, {}}, {"dir/a.cu", 8, {}, {Branch}}};

  KernelReport &R = Case.Predicted.emplace();
  KernelFacts &F = R.Facts;
  for (unsigned Line : {7, 8}) {
    SourcePlace Place;
    Place.File = "elsewhere/a.cu";
    Place.Line = Line;
    F.Locations.edit().push_back({{Place}});
    Operation Op;
    Op.Location = Line - 7;
    F.Operations.push_back(Op);
  }
  MemoryAccess Access;
  Access.Op = 0;
  Access.Space = MemorySpace::Global;
  F.Accesses.push_back(Access);
  gpuocc::Branch B;
  B.Op = 1;
  F.Branches.push_back(B);
  AccessProfile A;
  A.ExecutionsPerWarp = A.RequestsPerWarp = 10;
  A.SectorsPerRequest = 4;
  A.Exact = Exactness::Exact;
  R.Profile.Accesses.push_back(A);
  BranchProfile P;
  P.ExecutionsPerWarp = 10;
  P.DivergentFraction = 0.5;
  P.Exact = Exactness::Exact;
  R.Profile.Branches.push_back(P);
  return Case;
}

} // namespace

TEST(LineTable, JoinsByBaseNameLineAndKind) {
  CaseResult Case = oneLoadAndOneBranch();
  std::vector<LineRow> Rows = compareLines(Case);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].What, "global ld");
  EXPECT_EQ(Rows[0].Metric, LineMetric::Sectors);
  EXPECT_TRUE(Rows[0].matches());
  EXPECT_EQ(Rows[1].Metric, LineMetric::DivergentFraction);
  EXPECT_TRUE(Rows[1].matches());
}

TEST(LineTable, PredicatedExecutionsMatchByTotal) {
  CaseResult Case = oneLoadAndOneBranch();
  // Half of the executions have no active lane where the assembler predicates.
  TruthAccess &Load = Case.Truth.Lines[0].Accesses[0];
  Load.WarpInstructions = 20;
  Load.SectorsPerInst = 2;
  EXPECT_TRUE(compareLines(Case)[0].matches());
}

TEST(LineTable, CountsWrongNumbersThatAreCalledExact) {
  CaseResult Case = oneLoadAndOneBranch();
  Case.Truth.Lines[0].Accesses[0].SectorsPerInst = 5;
  LineSummary S = summarizeLines(compareLines(Case), LineMetric::Sectors);
  EXPECT_EQ(S.NumLines, 1u);
  EXPECT_EQ(S.NumMatches, 0u);
  EXPECT_EQ(S.NumWrongExact, 1u);
  Case.Predicted->Profile.Accesses[0].Exact = Exactness::DataDependent;
  S = summarizeLines(compareLines(Case), LineMetric::Sectors);
  EXPECT_EQ(S.NumDecided, 0u);
  EXPECT_EQ(S.NumWrongExact, 0u);
}
