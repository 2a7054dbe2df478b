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
#include <filesystem>

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

TEST(FilesBelow, LeavesOutFoldersThatCannotBeRead) {
  SmallString<128> Top, Before;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("gpuocc-unread", Top));
  ASSERT_FALSE(sys::fs::current_path(Before));
  // A path that is too long for the system, also for root.
  ASSERT_FALSE(sys::fs::set_current_path(Top));
  const std::string Name(250, 'd');
  for (int I = 0; I != 17; ++I) {
    ASSERT_FALSE(sys::fs::create_directory(Name));
    ASSERT_FALSE(sys::fs::set_current_path(Name));
  }
  ASSERT_FALSE(sys::fs::set_current_path(Before));
  std::error_code EC;
  raw_fd_ostream((Top + "/z.cu").str(), EC) << "z";
  std::vector<std::string> Unread;
  Expected<std::vector<std::string>> Found = filesBelow(Top, ".cu", &Unread);
  ASSERT_TRUE(bool(Found));
  EXPECT_EQ(*Found, std::vector<std::string>{(Top + "/z.cu").str()});
  EXPECT_EQ(Unread.size(), 1u);
  std::filesystem::remove_all(Top.str().str(), EC);
}

TEST(FilesBelow, FailsForNoFolder) {
  Expected<std::vector<std::string>> Found = filesBelow("/no/such", ".cu");
  ASSERT_FALSE(bool(Found));
  EXPECT_NE(toString(Found.takeError()).find("cannot read folder '/no/such'"),
            std::string::npos);
}
