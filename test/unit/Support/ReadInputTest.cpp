//===- ReadInputTest.cpp - Tests of reading files of others ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ReadInput.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

namespace {
class ReadInput : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("read-input", Folder));
  }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) const {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    return Path.str().str();
  }

  /// What is read of \p Path, or why nothing is.
  static std::string outcome(const std::string &Path,
                             uint64_t MostBytes = MostJSONBytes) {
    auto Buffer = readInput(Path, MostBytes);
    return Buffer ? "read: " + (*Buffer)->getBuffer().str()
                  : toString(Buffer.takeError());
  }

  SmallString<128> Folder;
};
} // namespace

TEST_F(ReadInput, FilesUpToTheLimit) {
  const std::string Path = path("file");
  ASSERT_FALSE(bool(writeOutput(Path, std::string(1 << 20, 'x'))));
  EXPECT_EQ(outcome(Path, 1 << 20).size(), 6u + (1 << 20));
  EXPECT_EQ(outcome(Path, (1 << 20) - 1),
            "it has more than 0 MiB, which no file of this kind has");
}

TEST_F(ReadInput, WhatIsNoFileSaysSo) {
  EXPECT_EQ(outcome(path("none")), "No such file or directory");
  EXPECT_EQ(outcome(path("")), "Is a directory");
}

TEST_F(ReadInput, AFifoIsNotWaitedForButRead) {
  const std::string Path = path("fifo");
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  EXPECT_EQ(outcome(Path), "read: ");
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  ASSERT_EQ(write(Ends[1], "text", 4), 4);
  close(Ends[1]);
  EXPECT_EQ(outcome("/proc/self/fd/" + std::to_string(Ends[0])), "read: text");
  close(Ends[0]);
}

TEST_F(ReadInput, AStreamWithoutEndIsCut) {
  EXPECT_EQ(outcome("/dev/zero", 1 << 21),
            "it has more than 2 MiB, which no file of this kind has");
}

TEST_F(ReadInput, JsonErrorsNameTheFile) {
  const std::string Path = path("deep.json");
  ASSERT_FALSE(bool(writeOutput(Path, std::string(200000, '['))));
  EXPECT_EQ(toString(readJSONFile(Path).takeError()),
            "'" + Path + "': JSON is nested deeper than 2000 levels");
}
