//===- FactsBytesTest.cpp - Facts survive the way between processes -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RandomFacts.h"
#include "gpuocc/Kernel/Bytes.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

std::string bytesOf(const std::vector<KernelFacts> &Kernels) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  writeBytes(OS, Kernels);
  return Bytes;
}

TEST(FactsBytes, RandomFactsSurviveOneBehindTheOther) {
  std::string Bytes;
  std::vector<KernelFacts> All;
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    All.push_back(RandomValues(Seed).facts());
    Bytes += bytesOf({All.back()});
  }
  Bytes += bytesOf(All);
  StringRef Rest = Bytes;
  for (const KernelFacts &Facts : All) {
    Expected<std::vector<KernelFacts>> Back = readKernels(Rest);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    ASSERT_EQ(Back->size(), 1U);
    EXPECT_EQ(Facts, Back->front());
  }
  Expected<std::vector<KernelFacts>> Back = readKernels(Rest);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(All, *Back);
  EXPECT_TRUE(Rest.empty());
}

TEST(FactsBytes, CutOffFactsAreAnError) {
  const std::string Bytes = bytesOf({RandomValues(3).facts()});
  ASSERT_GT(Bytes.size(), 100U);
  for (size_t Size = 0; Size != Bytes.size(); ++Size) {
    StringRef Cut = StringRef(Bytes).take_front(Size);
    Expected<std::vector<KernelFacts>> Back = readKernels(Cut);
    EXPECT_FALSE(bool(Back)) << Size;
    consumeError(Back.takeError());
  }
}

TEST(FactsBytes, DamagedFactsEndNothing) {
  const std::string Bytes = bytesOf({RandomValues(5).facts()});
  RandomValues Random(11);
  for (unsigned Try = 0; Try != 2000; ++Try) {
    std::string Damaged = Bytes;
    for (unsigned I = 0; I != 4; ++I)
      Damaged[Random.below(Damaged.size())] = char(Random.below(256));
    StringRef Rest = Damaged;
    Expected<std::vector<KernelFacts>> Back = readKernels(Rest);
    if (!Back)
      consumeError(Back.takeError());
  }
}

} // namespace
