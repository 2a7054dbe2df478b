//===- RecordedMemory.cpp - Arrays whose contents are known ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ParameterMemory.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;
using namespace llvm;

namespace {

/// A file with numbers of four bytes.
class Numbers {
public:
  explicit Numbers(ArrayRef<uint32_t> Values) {
    int Descriptor = 0;
    EXPECT_FALSE(
        sys::fs::createTemporaryFile("gpuocc", "bin", Descriptor, Path));
    raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
    Out.write(reinterpret_cast<const char *>(Values.data()),
              Values.size() * sizeof(uint32_t));
  }
  ~Numbers() { sys::fs::remove(Path); }

  std::string path() const { return Path.str().str(); }

private:
  SmallString<128> Path;
};

/// a[index[i]] and what it loads.
void buildGather(FactsBuilder &B) {
  Operand A = B.pointer("a");
  Operand Index = B.pointer("index");
  Operand I = B.load(MemorySpace::Global, B.element(Index, B.globalX(), 4), 4);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
}

ExecutionProfile profileWith(FactsBuilder &B, const std::string &File) {
  Launch L = launch({1, 1, 1}, {32, 1, 1});
  if (!File.empty())
    L.Memory[8] = {File, "test"};
  return profileLanes(B.finish(), L, MemoryGeometry(), LanesOptions());
}

TEST(RecordedMemory, IndicesAreThoseOfTheArray) {
  std::vector<uint32_t> Strided;
  for (uint32_t I = 0; I != 32; ++I)
    Strided.push_back(I * 2);
  const Numbers File(Strided);
  FactsBuilder B;
  buildGather(B);
  const AccessProfile A = profileWith(B, File.path()).Accesses[1];
  EXPECT_EQ(A.SectorsPerRequest, 8);
  EXPECT_EQ(A.Exact, Exactness::Exact);
}

TEST(RecordedMemory, WhatIsNotThereIsDrawnAsBefore) {
  const Numbers Short({0, 2, 4});
  for (const std::string &File :
       {std::string(), Short.path(), Short.path() + ".none"}) {
    FactsBuilder B;
    buildGather(B);
    EXPECT_NE(profileWith(B, File).Accesses[1].Exact, Exactness::Exact) << File;
  }
}

TEST(RecordedMemory, ConditionsAreThoseOfTheArray) {
  // if (flag[i] == 7) a[i], with a 7 for a quarter of the threads.
  std::vector<uint32_t> Flags(32);
  for (uint32_t I = 0; I != 32; I += 4)
    Flags[I] = 7;
  const Numbers File(Flags);
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Flag = B.pointer("flag");
  Operand F = B.load(MemorySpace::Global, B.element(Flag, B.globalX(), 4), 4);
  B.when(B.compare(ComparePredicate::EQ, F, B.imm(7)),
         [&] { B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4); });
  const ExecutionProfile P = profileWith(B, File.path());
  EXPECT_EQ(P.Accesses[1].SectorsPerRequest, 4);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
}

TEST(ParameterMemory, IndicesDecideAndDataDoesNot) {
  FactsBuilder B;
  buildGather(B);
  Operand Out = B.pointer("out");
  B.store(MemorySpace::Global, B.element(Out, B.globalX(), 4), 4);
  const ParameterMemory M = findParameterMemory(B.finish());
  EXPECT_EQ(M.Deciding, std::set<uint64_t>{8});
  EXPECT_EQ(M.Written, std::set<uint64_t>{16});
  EXPECT_FALSE(M.WritesElsewhere);
}

TEST(ParameterMemory, StoresThroughLoadedPointersGoAnywhere) {
  FactsBuilder B;
  Operand Rows = B.pointer("rows");
  Operand Row = B.load(MemorySpace::Global, Rows, 8);
  B.store(MemorySpace::Global, B.element(Row, B.globalX(), 4), 4);
  EXPECT_TRUE(findParameterMemory(B.finish()).WritesElsewhere);
}

} // namespace
