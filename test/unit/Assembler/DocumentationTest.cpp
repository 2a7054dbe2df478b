//===- DocumentationTest.cpp - docs/occupancy.md says how far off ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/RegisterPressure.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// The cells of the row of the table in docs/occupancy.md that begins with
/// \p Name.
static SmallVector<StringRef, 8> rowOf(StringRef Text, StringRef Name) {
  SmallVector<StringRef, 8> Cells;
  Text = Text.substr(Text.find(("\n| " + Name + " |").str()) + 1);
  Text.take_until([](char C) { return C == '\n'; }).split(Cells, '|');
  for (StringRef &Cell : Cells)
    Cell = Cell.trim(" %");
  return Cells;
}

TEST(RegisterEstimateError, IsWhatTheTableSays) {
  auto Buffer = MemoryBuffer::getFile(GPUOCC_SOURCE_DIR "/docs/occupancy.md");
  ASSERT_TRUE(bool(Buffer));
  const SmallVector<StringRef, 8> Cells = rowOf((*Buffer)->getBuffer(), "all");
  ASSERT_GE(Cells.size(), 5u);
  double Median = 0, NineOfTen = 0;
  ASSERT_TRUE(to_float(Cells[3], Median));
  ASSERT_TRUE(to_float(Cells[4], NineOfTen));
  EXPECT_EQ(std::round(Median), RegisterEstimateError::Median * 100);
  EXPECT_EQ(NineOfTen, RegisterEstimateError::NineOfTen * 100);
}
