//===- AccessTableTest.cpp - How exactly accesses are known -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessTable.h"
#include "PublishedAccesses.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A kernel with a load at a.cu:7:3 in f<1, 2>() for each of \p Profiles.
KernelReport loads(std::vector<AccessProfile> Profiles) {
  KernelReport R;
  SourcePlace Place;
  Place.File = "dir/a.cu";
  Place.Line = 7;
  Place.Column = 3;
  Place.Function = "f<1, 2>";
  R.Facts.Locations.edit() = {{{Place}}};
  for (AccessProfile &P : Profiles) {
    Operation Op;
    Op.Location = 0;
    MemoryAccess A;
    A.Op = uint32_t(R.Facts.Operations.size());
    A.Space = MemorySpace::Global;
    R.Facts.Operations.push_back(Op);
    R.Facts.Accesses.push_back(A);
    R.Profile.Accesses.push_back(std::move(P));
  }
  return R;
}

AccessProfile access(Exactness Exact, double Sectors = 4, double Requests = 1) {
  AccessProfile P;
  P.Exact = Exact;
  P.ExecutionsPerWarp = P.RequestsPerWarp = Requests;
  P.SectorsPerRequest = Sectors;
  P.IdealSectorsPerRequest = 4;
  P.LinesPerRequest = Sectors / 4;
  return P;
}

} // namespace

TEST(AccessTable, PlacesCountOnceWithTheirLeastExactFigures) {
  AccessTable Table;
  Table.add("a.cu",
            loads({access(Exactness::Exact), access(Exactness::Range)}));
  EXPECT_EQ(Table.instructions()[size_t(Exactness::Exact)], 1u);
  EXPECT_EQ(Table.instructions()[size_t(Exactness::Range)], 1u);
  EXPECT_EQ(Table.sourceAccesses()[size_t(Exactness::Exact)], 0u);
  EXPECT_EQ(Table.sourceAccesses()[size_t(Exactness::Range)], 1u);
}

TEST(AccessTable, WhatIsNeverExecutedIsNamed) {
  AccessTable Table;
  Table.add("a.cu", loads({access(Exactness::Exact, 0, 0)}));
  EXPECT_EQ(Table.numNeverExecuted(), 1u);
}

TEST(AccessTable, ReasonsAreComparedWithoutNames) {
  EXPECT_EQ(generalReason("assumes argument n = 1048576, assumes argument "
                          "alpha = 1.5, depends on loaded data"),
            "assumes arguments, depends on loaded data");
  EXPECT_EQ(generalReason("index loaded at a.cu:12 with 4.5 sectors"),
            "index loaded at a place with N sectors");
}

TEST(PublishedAccesses, OwnFiguresAreThoseOfThePlace) {
  std::vector<KernelReport> Reports = {
      loads({access(Exactness::Exact, 4, 3), access(Exactness::Exact, 8, 1)})};
  PublishedAccess Theirs = {"a.cu", "f<1,2>", 7, 3, 2};
  OwnAccess Own = ownAccess(Theirs, Reports);
  EXPECT_EQ(Own.NumInstructions, 2u);
  EXPECT_EQ(Own.Sectors, 5);
  EXPECT_TRUE(Own.isWasteful());
  EXPECT_TRUE(Own.takesSeveralLines());
  Theirs.Column = 9; // another compiler's column
  EXPECT_EQ(ownAccess(Theirs, Reports).NumInstructions, 2u);
  Theirs.Function = "g";
  EXPECT_EQ(ownAccess(Theirs, Reports).NumInstructions, 0u);
}

TEST(PublishedAccesses, ErrorsNameFileAndLine) {
  SmallString<128> Path;
  int Descriptor = -1;
  ASSERT_FALSE(
      sys::fs::createTemporaryFile("published", "txt", Descriptor, Path));
  {
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << "# comment\na/b.cu f 7:3 1.5\na/b.cu f 7 1.5\n";
  }
  Expected<std::vector<PublishedAccess>> All = loadPublishedAccesses(Path);
  sys::fs::remove(Path);
  ASSERT_FALSE(bool(All));
  const std::string Text = toString(All.takeError());
  EXPECT_NE(Text.find(".txt:3: 'a/b.cu f 7 1.5' is not"), std::string::npos)
      << Text;
}
