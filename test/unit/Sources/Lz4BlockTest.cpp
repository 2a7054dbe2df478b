//===- Lz4BlockTest.cpp - Blocks that LZ4 compressed ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sources/Lz4Block.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

TEST(Lz4Block, Literals) {
  EXPECT_EQ(decompressLz4Block(StringRef("\x30"
                                         "abc",
                                         4),
                               3),
            "abc");
  EXPECT_EQ(decompressLz4Block(StringRef("\0", 1), 0), "");
  // A length of 15 and more goes on behind the token.
  const std::string Long(20, 'x');
  EXPECT_EQ(decompressLz4Block("\xf0\x05" + Long, 20), Long);
}

TEST(Lz4Block, Matches) {
  // "ab", then 4 + 4 bytes from 2 back, then "c".
  EXPECT_EQ(decompressLz4Block(StringRef("\x24"
                                         "ab"
                                         "\x02\0\x10"
                                         "c",
                                         7),
                               11),
            "ababababab"
            "c");
}

TEST(Lz4Block, DamageIsNoticed) {
  // Of another size, cut off, and with a match in front of the start.
  EXPECT_FALSE(decompressLz4Block(StringRef("\x30"
                                            "abc",
                                            4),
                                  4));
  EXPECT_FALSE(decompressLz4Block(StringRef("\x30"
                                            "abc",
                                            4),
                                  2));
  EXPECT_FALSE(decompressLz4Block(StringRef("\x30"
                                            "ab",
                                            3),
                                  3));
  EXPECT_FALSE(decompressLz4Block(StringRef("\xf0", 1), 20));
  EXPECT_FALSE(decompressLz4Block(StringRef("\x24"
                                            "ab"
                                            "\x03\0\x10"
                                            "c",
                                            7),
                                  11));
  EXPECT_FALSE(decompressLz4Block(StringRef("\x24"
                                            "ab"
                                            "\0\0\x10"
                                            "c",
                                            7),
                                  11));
  EXPECT_FALSE(decompressLz4Block("\x30"
                                  "abc",
                                  uint64_t(1) << 40));
}

TEST(Lz4Block, AnyBytesAreReadWithoutHarm) {
  std::mt19937 Random(3);
  for (unsigned Turn = 0; Turn != 20000; ++Turn) {
    std::string Bytes(Random() % 24, 0);
    for (char &C : Bytes)
      C = char(Random());
    if (std::optional<std::string> Out = decompressLz4Block(Bytes, 64))
      EXPECT_EQ(Out->size(), 64u);
  }
}
