//===- MixGridTest.cpp - Reading recorded grids ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixGrid.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static Expected<MixGrid> parse(StringRef Text) {
  return parseMixGrid(Text, "grid.json", mixFamilies().front());
}

static std::string errorOf(StringRef Text) {
  Expected<MixGrid> Grid = parse(Text);
  return Grid ? "" : toString(Grid.takeError());
}

TEST(MixGrid, ColumnsAreFoundByName) {
  MixGrid Grid = cantFail(parse(R"({"table": {
    "columns": ["warps", "spread", "per_cycle_sm", "alpha", "ilp"],
    "rows": [[4, 0, 0.01, 8, 1], [8, 0, 0.02, 8, 1], [8, 0, 0.05, 0, 2]],
    "source": "by hand"}})"));
  ASSERT_EQ(Grid.Points.size(), 3u);
  EXPECT_EQ(Grid.Kind, MixKind::DramLoad);
  EXPECT_EQ(Grid.Source, "by hand");
  EXPECT_EQ(Grid.find(1, 8, 8)->PerCycleSm, 0.02);
  EXPECT_EQ(Grid.find(1, 8, 12), nullptr);
  EXPECT_EQ(Grid.peak(0), 0.05);
  EXPECT_EQ(Grid.peak(1), 0);
}

TEST(MixGrid, ErrorsNameFileAndPlace) {
  EXPECT_NE(errorOf("nonsense").find("'grid.json'"), std::string::npos);
  EXPECT_EQ(errorOf("[]"),
            "'grid.json': expected a table with columns and rows");
  EXPECT_EQ(errorOf(R"({"table": {"columns": ["ilp", "alpha", "warps"],
                                  "rows": []}})"),
            "'grid.json': the table has no column 'per_cycle_sm'");
  StringRef Columns =
      R"({"table": {"columns": ["ilp", "alpha", "warps", "per_cycle_sm"],)";
  EXPECT_EQ(errorOf((Columns + R"("rows": []}})").str()),
            "'grid.json': the table has no measured point");
  EXPECT_EQ(errorOf((Columns + R"("rows": [[1, 0, 4, "x"]]}})").str()),
            "'grid.json': row 1: 'per_cycle_sm' should be a number of at least "
            "0");
  EXPECT_EQ(errorOf((Columns + R"("rows": [[1, 0, 4, 1], [1]]}})").str()),
            "'grid.json': row 2: 'alpha' should be a number of at least 0");
}

TEST(MixGrid, FolderWithoutGridsIsAnError) {
  Expected<std::vector<MixGrid>> Grids = readMixGrids("/nonexistent");
  ASSERT_FALSE(bool(Grids));
  EXPECT_NE(toString(Grids.takeError()).find("no grid in '/nonexistent'"),
            std::string::npos);
}
