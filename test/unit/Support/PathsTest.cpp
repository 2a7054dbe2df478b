//===- PathsTest.cpp - Paths and folders ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

TEST(AbsolutePath, StartsAtTheDirectoryAndDropsDots) {
  EXPECT_EQ(absolutePath("../b/./c.cu", "/top/a"), "/top/b/c.cu");
  EXPECT_EQ(absolutePath("/x/c.cu", "/top/a"), "/x/c.cu");
}

TEST(FilesBelow, AreSortedAndOfOneExtension) {
  SmallString<128> Folder;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("gpuocc-paths", Folder));
  const std::string Top = Folder.str().str();
  EXPECT_FALSE(hasFileBelow(Top, ".cu"));
  ASSERT_FALSE(sys::fs::create_directory(Top + "/b"));
  ASSERT_FALSE(sys::fs::create_directory(Top + "/folder.cu"));
  for (const char *Name : {"/z.cu", "/b/a.cu", "/a.txt"}) {
    std::error_code EC;
    raw_fd_ostream File(Top + Name, EC);
    ASSERT_FALSE(EC);
  }
  Expected<std::vector<std::string>> Found = filesBelow(Top, ".cu");
  ASSERT_TRUE(bool(Found));
  EXPECT_EQ(*Found, (std::vector<std::string>{Top + "/b/a.cu", Top + "/z.cu"}));
  EXPECT_TRUE(hasFileBelow(Top, ".cu"));
  sys::fs::remove_directories(Top);
}

TEST(FilesBelow, FailsForNoFolder) {
  Expected<std::vector<std::string>> Found = filesBelow("/no/such", ".cu");
  ASSERT_FALSE(bool(Found));
  EXPECT_NE(toString(Found.takeError()).find("cannot read folder '/no/such'"),
            std::string::npos);
}
