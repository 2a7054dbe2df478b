//===- ArrayContents.cpp - Arrays of which parts are recorded -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ArrayContents.h"
#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <functional>

using namespace gpuocc;
using namespace gpuocc::test;
using namespace llvm;

namespace {

/// An array of numbers of type \p T with three parts of 16 numbers of 4 bytes.
template <typename T>
std::string inParts(size_t Count, const std::function<T(size_t)> &Number) {
  std::vector<T> Array;
  for (size_t I = 0; I != Count; ++I)
    Array.push_back(Number(I));
  const ArrayParts Parts = {ArrayParts::Sign, Count * sizeof(T), 64, 3};
  std::string File(reinterpret_cast<const char *>(&Parts), sizeof(Parts));
  for (uint64_t I = 0; I != Parts.NumParts; ++I)
    File.append(reinterpret_cast<const char *>(Array.data()) + Parts.begin(I),
                Parts.end(I) - Parts.begin(I));
  return File;
}

ArrayContents contents(const std::string &File) {
  return ArrayContents(MemoryBuffer::getMemBufferCopy(File));
}

TEST(ArrayParts, AreSpreadFromTheBeginToTheEnd) {
  for (uint64_t Bytes :
       {ArrayParts::MostBytes + 1, uint64_t(1632960000), uint64_t(1) << 38}) {
    const ArrayParts P = ArrayParts::of(Bytes);
    EXPECT_EQ(P.begin(0), 0u);
    EXPECT_EQ(P.end(P.NumParts - 1), Bytes);
    for (uint64_t I = 1; I != P.NumParts; ++I) {
      EXPECT_GE(P.begin(I), P.end(I - 1));
      EXPECT_EQ(P.begin(I) % P.PartBytes, 0u);
    }
    EXPECT_LE(P.beginInFile(P.NumParts),
              ArrayParts::MostBytes + sizeof(ArrayParts));
  }
}

TEST(ArrayContents, WhatIsRecordedIsReadWhereItWas) {
  const ArrayContents C = contents(
      inParts<uint32_t>(200, [](size_t I) { return uint32_t(I ^ 1); }));
  ASSERT_TRUE(C.parts());
  // Parts begin at number 0, 96 and 192; the last has eight.
  for (uint64_t I : {0, 15, 96, 111, 192, 199}) {
    EXPECT_EQ(C.read(I * 4, 4), I ^ 1) << I;
    EXPECT_FALSE(C.isBetweenParts(I * 4, 4)) << I;
  }
  EXPECT_EQ(C.read(4, 8), uint64_t(3) << 32);
  EXPECT_FALSE(C.read(200 * 4, 4));
}

TEST(ArrayContents, WhatLiesBetweenIsLikeTheNearestPart) {
  const ArrayContents C = contents(
      inParts<uint32_t>(200, [](size_t I) { return uint32_t(I ^ 1); }));
  EXPECT_EQ(C.read(17 * 4, 4), 0u);
  EXPECT_EQ(C.read(95 * 4, 4), 110u);
  // The last part has no number 14.
  EXPECT_TRUE(C.read((176 + 14) * 4, 4));
  EXPECT_TRUE(C.isBetweenParts(17 * 4, 4));
  EXPECT_TRUE(C.isBetweenParts(15 * 4, 8));
}

TEST(ArrayContents, NumbersThatRiseRiseBetweenPartsToo) {
  auto Expect = [](const ArrayContents &C, unsigned Bytes) {
    uint64_t Before = 0;
    for (uint64_t I = 0; I != 200; ++I) {
      const uint64_t Now = *C.read(I * Bytes, Bytes);
      EXPECT_GE(Now, Before);
      EXPECT_NEAR(double(Now), 10.0 * double(I), 1) << I;
      Before = Now;
    }
  };
  const ArrayContents Narrow = contents(
      inParts<uint32_t>(200, [](size_t I) { return uint32_t(10 * I); }));
  Expect(Narrow, 4);
  // Two at a time.
  const uint64_t Pair = *Narrow.read(40 * 4, 8);
  EXPECT_EQ(uint32_t(Pair), Narrow.read(40 * 4, 4));
  EXPECT_EQ(Pair >> 32, Narrow.read(41 * 4, 4));
  Expect(contents(inParts<uint64_t>(200, [](size_t I) { return 10 * I; })), 8);
}

TEST(ArrayContents, AnythingElseIsTheArray) {
  std::string File =
      inParts<uint32_t>(200, [](size_t I) { return uint32_t(I); });
  File += "more";
  const ArrayContents C = contents(File);
  EXPECT_FALSE(C.parts());
  EXPECT_EQ(C.read(0, 8), ArrayParts::Sign);
}

/// What follows from a[index[i]], \p Offset bytes behind the begin of index,
/// which is in \p File.
ExecutionProfile gather(const std::string &File, int64_t Offset) {
  SmallString<128> Path;
  int Descriptor = 0;
  EXPECT_FALSE(sys::fs::createTemporaryFile("gpuocc", "bin", Descriptor, Path));
  raw_fd_ostream(Descriptor, /*shouldClose=*/true) << File;
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Index = B.pointer("index");
  Operand I =
      B.load(MemorySpace::Global, B.element(Index, B.tidX(), 4), 4, Offset);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Launch L = launch({1, 1, 1}, {16, 1, 1});
  L.Memory[8] = {Path.str().str(), "test"};
  ExecutionProfile P =
      profileLanes(B.finish(), L, MemoryGeometry(), LanesOptions());
  sys::fs::remove(Path);
  return P;
}

TEST(ArrayContents, WhatIsTakenToBeAlikeIsNamed) {
  const std::string File = inParts<uint32_t>(
      208, [](size_t I) { return uint32_t(I % 16 * 16 + I / 16); });
  const ExecutionProfile Recorded = gather(File, 0);
  EXPECT_EQ(Recorded.Accesses[1].SectorsPerRequest, 16);
  EXPECT_TRUE(Recorded.Assumptions.empty());
  const ExecutionProfile Between = gather(File, 2 * 64);
  EXPECT_EQ(Between.Accesses[1].SectorsPerRequest, 16);
  ASSERT_EQ(Between.Assumptions.size(), 1u);
  EXPECT_EQ(Between.Assumptions[0].What, "contents of index");
}

} // namespace
