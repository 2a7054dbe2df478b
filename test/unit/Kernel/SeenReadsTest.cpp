//===- SeenReadsTest.cpp - What threads of a launch have read -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/SeenReads.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class SeenReadsFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "bin", Path));
  }
  void TearDown() override { sys::fs::remove(Path); }

  SmallString<128> Path;
};

TEST_F(SeenReadsFile, ReadsAreFoundInTheOrderOfTheirThread) {
  SeenBlock A, B;
  A.Number = 7;
  A.Reads = {{0x1000, 5, 3, 4}, {0x1000, 9, 4, 4}, {0x1000, 6, 3, 4}};
  B.Number = 2;
  B.Reads = {{0x1000, 0x1122334455667788, 3, 8}};
  B.IsCut = true;
  ASSERT_FALSE(
      errorToBool(writeSeenBlocks(Path, {9, 1, 1}, {32, 2, 1}, {A, B})));
  Expected<SeenReads> Read = SeenReads::load(Path);
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->grid(), (Dim3{9, 1, 1}));
  EXPECT_EQ(Read->block(), (Dim3{32, 2, 1}));
  EXPECT_THAT(Read->numbers(), ElementsAre(2, 7));
  EXPECT_TRUE(Read->isCut());
  EXPECT_THAT(Read->find(7, 3, 0x1000, 4), ElementsAre(5, 6));
  EXPECT_THAT(Read->find(7, 4, 0x1000, 4), ElementsAre(9));
  // A read of eight bytes is two words.
  EXPECT_THAT(Read->find(2, 3, 0x1004, 4), ElementsAre(0x11223344));
  EXPECT_THAT(Read->find(2, 4, 0x1000, 4), IsEmpty());
  EXPECT_THAT(Read->find(3, 3, 0x1000, 4), IsEmpty());
  EXPECT_THAT(Read->find(7, 3, 0x1000, 1), IsEmpty());
}

TEST_F(SeenReadsFile, RepetitionsCountBeforeAnotherValue) {
  SeenBlock A;
  A.Reads = {{0x1000, 5, 3, 4, 3}, {0x1000, 6, 3, 4, 1000000}};
  const VariableAddresses Variables = {{"a", 0x20}, {"longer", 0x30}};
  ASSERT_FALSE(errorToBool(
      writeSeenBlocks(Path, {1, 1, 1}, {32, 1, 1}, {A}, Variables)));
  Expected<SeenReads> Read = SeenReads::load(Path);
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_THAT(Read->find(0, 3, 0x1000, 4), ElementsAre(5, 5, 5, 6));
  EXPECT_EQ(Read->Variables, Variables);
}

TEST_F(SeenReadsFile, BrokenFilesAreRefused) {
  SeenBlock A;
  A.Reads = {{0x1000, 5, 3, 4}};
  ASSERT_FALSE(errorToBool(writeSeenBlocks(Path, {1, 1, 1}, {32, 1, 1}, {A})));
  const std::string Whole =
      (*MemoryBuffer::getFile(Path, false, false))->getBuffer().str();
  for (size_t Bytes : {size_t(0), size_t(20), Whole.size() - 1}) {
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Whole.substr(0, Bytes);
    EXPECT_THAT(toString(SeenReads::load(Path).takeError()),
                testing::HasSubstr("holds no reads of a launch"))
        << Bytes;
  }
  // More blocks and reads than there are.
  for (size_t At : {size_t(64), size_t(72), size_t(88)}) {
    std::string Huge = Whole;
    Huge.replace(At, 8, std::string(8, '\xff'));
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Huge;
    EXPECT_THAT(toString(SeenReads::load(Path).takeError()),
                testing::HasSubstr("holds no reads of a launch"))
        << At;
  }
}

} // namespace
