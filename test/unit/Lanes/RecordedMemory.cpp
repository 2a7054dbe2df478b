//===- RecordedMemory.cpp - Arrays whose contents are known ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ParameterMemory.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Support/InstClasses.h"
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

TEST(ArraySizes, IndicesLeadToPlacesInTheArray) {
  FactsBuilder B;
  buildGather(B);
  Launch L = launch({1024, 1, 1}, {256, 1, 1});
  const KernelFacts Facts = B.finish();
  auto Places = [&] {
    return *profileLanes(Facts, L, MemoryGeometry(), LanesOptions())
                .Accesses[1]
                .DrawnAddresses;
  };
  EXPECT_GT(Places(), 100000);
  L.ArrayBytes[0] = {64, "test"};
  EXPECT_EQ(Places(), 16);
  // The size of another array says nothing.
  L.ArrayBytes = {{8, {64, "test"}}};
  EXPECT_GT(Places(), 100000);
  // Nor does one that has room for all of them.
  L.ArrayBytes[0] = {1 << 20, "test"};
  EXPECT_GT(Places(), 100000);
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

TEST(RecordedMemory, IndicesLeadInOrderOnlyIfTheyAscend) {
  // Rows of unlike length, one after the other, and a permutation.
  std::vector<uint32_t> Rows, Permuted;
  for (uint32_t I = 0; I != 32; ++I) {
    Rows.push_back(I * 100 + I * I);
    Permuted.push_back(I * 13 % 32 * 100);
  }
  for (const auto *Indices : {&Rows, &Permuted}) {
    const Numbers File(*Indices);
    FactsBuilder B;
    buildGather(B);
    const AccessProfile A = profileWith(B, File.path()).Accesses[1];
    EXPECT_EQ(A.Exact, Exactness::Exact);
    EXPECT_EQ(A.IsInOrder, Indices == &Rows);
  }
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

/// for (i = first[t]; i < first[t + 1]; ++i) { out[i]; }, which loads the bound
/// again in each iteration.
void buildRows(FactsBuilder &B, Operand T) {
  Operand Out = B.pointer("out");
  Operand First = B.pointer("first");
  Operand At = B.element(First, T, 4);
  Operand Begin = B.load(MemorySpace::Global, At, 4);
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(Begin, Pre);
  B.store(MemorySpace::Global, B.element(Out, I, 1), 1);
  Operand Next = B.add(I, B.imm(1));
  B.addIncoming(I, Next, Head);
  Operand End = B.load(MemorySpace::Global, At, 4, 4);
  Operand Stay = B.compare(ComparePredicate::LTS, Next, End);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
}

TEST(RecordedMemory, BoundsThatAreLoadedAgainEndLoops) {
  std::vector<uint32_t> First = {0};
  for (uint32_t I = 0; I != 32; ++I)
    First.push_back(First.back() + 40000 + I);
  const Numbers File(First);
  FactsBuilder B;
  buildRows(B, B.globalX());
  const ExecutionProfile P = profileWith(B, File.path());
  EXPECT_NEAR(P.Accesses[1].ExecutionsPerWarp, 40031, 1e-3);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(RecordedMemory, TheLongestBlockIsFound) {
  // One of 3000 blocks works on a row of 100000.
  std::vector<uint32_t> First = {0};
  for (uint32_t I = 0; I != 3000; ++I)
    First.push_back(First.back() + (I == 1234 ? 100000 : 10));
  const Numbers File(First);
  FactsBuilder B;
  buildRows(B, B.sreg(SpecialReg::CtaIdX));
  Launch L = launch({3000, 1, 1}, {64, 1, 1});
  L.Memory[8] = {File.path(), "test"};
  LanesOptions Options;
  KernelFacts Facts = B.finish();
  for (Operation &Op : Facts.Operations)
    Op.Emits.push_back({InstClass::IAdd3, 1, 1});
  auto Longest = [&] {
    double Most = 0;
    const ExecutionProfile P =
        profileLanes(Facts, L, MemoryGeometry(), Options);
    for (const WarpSample &S : P.Samples)
      Most = std::max(Most, S.BlockExecutions[1]);
    return std::pair(Most, P.Accesses[1].ExecutionsPerWarp);
  };
  EXPECT_NEAR(Longest().first, 100000, 1e-3);
  EXPECT_NEAR(Longest().second, (100000 + 2999 * 10) / 3000.0, 1e-3);
  Options.Used.leaveOut(Mechanism::HeavyBlocks);
  EXPECT_NEAR(Longest().first, 10, 1e-3);
}

TEST(RecordedMemory, BlocksAreLookedAtAllOverTheGrid) {
  // The first half of the blocks works, the one in the middle does not: there
  // is effort for fewer of them than that one tells.
  constexpr uint64_t NumBlocks = 4'000'000;
  const Numbers File(std::vector<uint32_t>(32, 7));
  FactsBuilder B;
  Operand Out = B.pointer("out");
  Operand Flag = B.pointer("flag");
  Operand Own = B.element(Flag, B.sreg(SpecialReg::TidX), 4);
  Operand Block = B.sreg(SpecialReg::CtaIdX);
  B.when(B.compare(ComparePredicate::LTS, Block, B.imm(NumBlocks / 2)), [&] {
    Operand F = B.load(MemorySpace::Global, Own, 4);
    Operand Sum = F;
    for (unsigned I = 0; I != 16; ++I)
      Sum = B.add(Sum, F);
    B.when(B.compare(ComparePredicate::EQ, Sum, B.imm(7 * 17)),
           [&] { B.store(MemorySpace::Global, B.element(Out, Block, 4), 4); });
  });
  Launch L = launch({NumBlocks, 1, 1}, {32, 1, 1});
  L.Memory[8] = {File.path(), "test"};
  LanesOptions Options;
  Options.MaxSteps = 20'000;
  KernelFacts Facts = B.finish();
  for (Operation &Op : Facts.Operations)
    Op.Emits.push_back({InstClass::IAdd3, 1, 1});
  const ExecutionProfile P = profileLanes(Facts, L, MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 0.5, 0.02);
}

/// A file with 32 numbers of four bytes: 0, 2, 4, ...
Numbers evens() {
  std::vector<uint32_t> Values;
  for (uint32_t I = 0; I != 32; ++I)
    Values.push_back(I * 2);
  return Numbers(Values);
}

/// The last load of a[index[i]] behind what \p Store does to index, the array
/// with the numbers of evens().
AccessProfile gatherBehind(
    function_ref<void(FactsBuilder &, Operand Index, Operand Own)> Store) {
  const Numbers File = evens();
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Index = B.pointer("index");
  Operand Own = B.element(Index, B.globalX(), 4);
  Store(B, Index, Own);
  Operand I = B.load(MemorySpace::Global, Own, 4);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  return profileWith(B, File.path()).Accesses.back();
}

TEST(RecordedMemory, SignedNumbersAreExtended) {
  // if (step[i] < 0) a[i], with all steps -1, four to a word.
  std::vector<uint32_t> Steps(8, ~0u);
  const Numbers File(Steps);
  for (bool IsSigned : {false, true}) {
    FactsBuilder B;
    Operand A = B.pointer("a");
    Operand Step = B.pointer("step");
    Operand S = B.load(MemorySpace::Global, B.element(Step, B.tidX(), 1), 1);
    if (IsSigned)
      B.Facts.Accesses.back().SignExtendedTo = 32;
    B.when(B.compare(ComparePredicate::LTS, S, B.imm(0)),
           [&] { B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
    EXPECT_EQ(profileWith(B, File.path()).Accesses[1].RequestsPerWarp,
              IsSigned ? 1 : 0);
  }
}

TEST(RecordedMemory, WhatTheKernelStoredIsFoundAgain) {
  const AccessProfile A =
      gatherBehind([](FactsBuilder &B, Operand, Operand Own) {
        Operand Lane = B.tidX();
        B.store(MemorySpace::Global, Own, 4);
        B.Facts.Accesses.back().Stored = {Lane};
      });
  EXPECT_EQ(A.SectorsPerRequest, 4);
  EXPECT_EQ(A.Exact, Exactness::Exact);
}

TEST(RecordedMemory, WhatIsStoredElsewhereLeavesTheArray) {
  const AccessProfile A =
      gatherBehind([](FactsBuilder &B, Operand, Operand Own) {
        Operand Lane = B.tidX();
        B.store(MemorySpace::Global, Own, 4, 4096);
        B.Facts.Accesses.back().Stored = {Lane};
      });
  EXPECT_EQ(A.SectorsPerRequest, 8);
  EXPECT_EQ(A.Exact, Exactness::Exact);
}

TEST(RecordedMemory, StoredValuesThatNobodyKnowsAreUnknown) {
  const auto Store = [](FactsBuilder &B, Operand, Operand Own) {
    B.store(MemorySpace::Global, Own, 4);
  };
  const auto Count = [](FactsBuilder &B, Operand, Operand Own) {
    B.atomic(MemorySpace::Global, Own, 4);
  };
  const auto Scatter = [](FactsBuilder &B, Operand Index, Operand) {
    Operand Other = B.pointer("other");
    Operand I = B.load(MemorySpace::Global, Other, 4);
    B.store(MemorySpace::Global, B.element(Index, I, 4), 4);
    B.Facts.Accesses.back().Stored = {B.imm(0)};
  };
  for (auto Write : {+Store, +Count, +Scatter})
    EXPECT_EQ(gatherBehind(Write).Exact, Exactness::DataDependent);
}

TEST(RecordedMemory, WhatOthersWriteMeanwhileIsUnknown) {
  for (bool Volatile : {false, true}) {
    const Numbers File = evens();
    FactsBuilder B;
    Operand A = B.pointer("a");
    Operand Index = B.pointer("index");
    Operand Own = B.element(Index, B.globalX(), 4);
    Operand I = B.load(MemorySpace::Global, Own, 4);
    B.Facts.Accesses.back().Volatile = Volatile;
    B.load(MemorySpace::Global, B.element(A, I, 4), 4);
    B.store(MemorySpace::Global, Own, 4);
    EXPECT_EQ(profileWith(B, File.path()).Accesses[1].Exact,
              Volatile ? Exactness::DataDependent : Exactness::Exact);
  }
}

TEST(RecordedMemory, LaterStoresLeaveWhatWasThere) {
  const Numbers File = evens();
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Index = B.pointer("index");
  Operand Own = B.element(Index, B.globalX(), 4);
  Operand I = B.load(MemorySpace::Global, Own, 4);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  B.store(MemorySpace::Global, Own, 4);
  EXPECT_EQ(profileWith(B, File.path()).Accesses[1].SectorsPerRequest, 8);
}

TEST(RecordedMemory, TheNextIterationFindsWhatThisOneStored) {
  // while (flag[i] != 0) { flag[i] = 0; }, with a 1 everywhere.
  const Numbers File(std::vector<uint32_t>(32, 1));
  FactsBuilder B;
  B.pointer("a");
  Operand Own = B.element(B.pointer("flag"), B.globalX(), 4);
  const uint32_t Before = B.current();
  const uint32_t Head = B.newBlock();
  B.jump(Before, Head);
  Operand F = B.load(MemorySpace::Global, Own, 4);
  Operand Test = B.compare(ComparePredicate::NE, F, B.imm(0));
  const uint32_t Body = B.newBlock();
  B.store(MemorySpace::Global, Own, 4);
  B.Facts.Accesses.back().Stored = {B.imm(0)};
  B.jump(Body, Head);
  const uint32_t After = B.newBlock();
  B.branch(Head, Test, Body, After);
  const ExecutionProfile P = profileWith(B, File.path());
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 2);
  EXPECT_EQ(P.Accesses[1].RequestsPerWarp, 1);
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
  EXPECT_TRUE(M.IsConfined);
  EXPECT_TRUE(M.IsRepeatable);
}

TEST(ParameterMemory, AsynchronousCopiesRead) {
  FactsBuilder B;
  Operand From = B.pointer("from");
  B.store(MemorySpace::Global, B.element(From, B.globalX(), 4), 4);
  Operand Rows = B.pointer("rows");
  Operand Row = B.load(MemorySpace::Global, Rows, 8);
  B.store(MemorySpace::Global, B.element(Row, B.globalX(), 4), 4);
  KernelFacts Facts = B.finish();
  for (MemoryAccess &A : Facts.Accesses)
    if (A.Kind == AccessKind::Store)
      A.Kind = AccessKind::AsyncCopy;
  const ParameterMemory M = findParameterMemory(Facts);
  EXPECT_TRUE(M.Written.empty());
  EXPECT_FALSE(M.WritesElsewhere);
}

TEST(ParameterMemory, StoresThroughLoadedPointersGoAnywhere) {
  FactsBuilder B;
  Operand Rows = B.pointer("rows");
  Operand Row = B.load(MemorySpace::Global, Rows, 8);
  B.store(MemorySpace::Global, B.element(Row, B.globalX(), 4), 4);
  const ParameterMemory M = findParameterMemory(B.finish());
  EXPECT_TRUE(M.WritesElsewhere);
  EXPECT_FALSE(M.IsConfined);
}

TEST(ParameterMemory, WhatIsReadAndWrittenIsConfinedButNotRepeatable) {
  FactsBuilder B;
  Operand Own = B.element(B.pointer("inOut"), B.globalX(), 4);
  B.load(MemorySpace::Global, Own, 4);
  B.store(MemorySpace::Global, Own, 4);
  KernelFacts Facts = B.finish();
  EXPECT_TRUE(findParameterMemory(Facts).IsConfined);
  EXPECT_FALSE(findParameterMemory(Facts).IsRepeatable);
  // What is not analyzed may go anywhere.
  Facts.Gaps.emplace_back();
  EXPECT_FALSE(findParameterMemory(Facts).IsConfined);
}

/// while (atomic(p) != 0) a[..], with what lane 1 of block 3 got.
TEST(SeenReads, WhatAtomicsReturnedEndsTheLoop) {
  FactsBuilder B;
  Operand P = B.pointer("p");
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Got = B.atomic(MemorySpace::Global, P, 4);
  Operand Stay = B.compare(ComparePredicate::NE, Got, B.imm(0));
  uint32_t Body = B.newBlock();
  B.load(MemorySpace::Global, A, 4);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Body, Exit);
  B.jump(Body, Head);
  const KernelFacts Facts = B.finish();
  EXPECT_TRUE(findParameterMemory(Facts).IsDecidedByOwnWrites);

  // Lanes 0 to 31 go around 2 times each, lane 1 5 times.
  SeenBlock Block;
  Block.Number = 3;
  for (uint32_t Lane = 0; Lane != 32; ++Lane)
    for (unsigned Left = Lane == 1 ? 5 : 2;; --Left) {
      Block.Reads.push_back({0x7000, Left, uint16_t(Lane), 4});
      if (Left == 0)
        break;
    }
  SeenReads Seen({4, 1, 1}, {32, 1, 1}, {Block});
  Seen.ArrayAddresses[0] = 0x7000;
  LanesOptions Options;
  Options.Seen = std::make_shared<const SeenReads>(Seen);
  const ExecutionProfile Counted = profileLanes(
      Facts, launch({4, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_EQ(Counted.Accesses[0].ExecutionsPerWarp, 6);
  EXPECT_EQ(Counted.Accesses[1].ExecutionsPerWarp, 5);
  EXPECT_TRUE(Counted.Assumptions.empty());
  // It says nothing of other grids.
  const ExecutionProfile Other = profileLanes(
      Facts, launch({5, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_NE(Other.Accesses[1].ExecutionsPerWarp, 5);
  EXPECT_FALSE(Other.Assumptions.empty());
}

TEST(SeenReads, KernelsThatReadNothingOfTheirOwnNeedNone) {
  FactsBuilder B;
  buildGather(B);
  EXPECT_FALSE(findParameterMemory(B.finish()).IsDecidedByOwnWrites);
}

} // namespace
