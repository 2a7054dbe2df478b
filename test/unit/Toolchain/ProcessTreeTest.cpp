//===- ProcessTreeTest.cpp - A process and what it started ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessTree.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;

TEST(ProcessEntries, AreReadWhateverTheNameIs) {
  const std::string Rest =
      " S 41 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 100 4096 77 18446";
  for (const char *Name : {"sh", "a b", ") R 1 1", "", "((("}) {
    std::optional<ProcessEntry> Entry =
        parseProcessEntry("42 (" + std::string(Name) + ")" + Rest);
    ASSERT_TRUE(Entry) << Name;
    EXPECT_EQ(Entry->Id, 42);
    EXPECT_EQ(Entry->Parent, 41);
    EXPECT_EQ(Entry->ResidentPages, 77u);
    EXPECT_FALSE(Entry->HasEnded);
  }
  std::optional<ProcessEntry> Ended = parseProcessEntry(
      "42 (sh) Z 41 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0");
  EXPECT_TRUE(Ended && Ended->HasEnded);
}

TEST(ProcessEntries, OfOtherTextAreNone) {
  for (const char *Text : {"", "42", "42 (sh", "x (sh) S 1", "42 (sh) S 41 1"})
    EXPECT_FALSE(parseProcessEntry(Text)) << Text;
}

TEST(ProcessTree, HoldsChildrenOfChildrenInAnyOrder) {
  std::vector<pid_t> Found;
  for (const ProcessEntry &Entry : processesBelow(
           10, {{30, 20}, {20, 10}, {10, 1}, {40, 1}, {5, 30}, {6, 6}}))
    Found.push_back(Entry.Id);
  EXPECT_THAT(Found, testing::UnorderedElementsAre(20, 30, 5));
}
