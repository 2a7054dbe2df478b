//===- RecordTableTest.cpp - Recorded measurements in CSV files -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordTable.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringRef Columns[] = {"kernel", "ns"};

TEST(RecordTable, ReadsCommentsColumnsAndRows) {
  Expected<RecordTable> T = parseRecordTable("# measured today\n"
                                             "kernel, block, ns\n"
                                             "copy, 32, 1500\n"
                                             "\n"
                                             "scale, 64, 2e3\n",
                                             "t.csv", Columns);
  ASSERT_TRUE(bool(T)) << toString(T.takeError());
  EXPECT_EQ(T->Comments, std::vector<std::string>{"measured today"});
  ASSERT_EQ(T->Rows.size(), 2u);
  EXPECT_EQ(T->text(0, "kernel"), "copy");
  EXPECT_EQ(cantFail(T->number(1, "ns")), 2000);
}

static std::string problemOf(StringRef Text) {
  return toString(parseRecordTable(Text, "t.csv", Columns).takeError());
}

TEST(RecordTable, NamesTheColumnThatIsMissing) {
  EXPECT_EQ(problemOf("kernel,block\ncopy,32\n"),
            "'t.csv': the table has no column 'ns'");
}

TEST(RecordTable, NamesTheRowWithTooFewCells) {
  EXPECT_EQ(problemOf("kernel,ns\ncopy,1\nscale\n"),
            "'t.csv': row 2 has 1 cells, not 2");
}

TEST(RecordTable, NumbersAreGreaterThanZero) {
  Expected<RecordTable> T =
      parseRecordTable("kernel,ns\ncopy,fast\nscale,0\n", "t.csv", Columns);
  ASSERT_TRUE(bool(T)) << toString(T.takeError());
  for (size_t Row : {0, 1})
    EXPECT_NE(toString(T->number(Row, "ns").takeError()), "");
}
