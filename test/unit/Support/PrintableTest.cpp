//===- PrintableTest.cpp - Text from elsewhere, for a terminal ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Printable.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <random>

using namespace gpuocc;

TEST(Printable, TextStays) {
  for (const char *Text : {"", "k<float>(int*)", "größe.cu", "内核", "a\\x1b"})
    EXPECT_EQ(printable(Text), Text);
}

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(printable("\x1b[31mred\a\r\n\t\x7f"),
            "\\x1B[31mred\\x07\\x0D\\x0A\\x09\\x7F");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3)), "a\\x00b");
  // CSI of terminals that take it from the second half of Latin-1.
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xC2\\x9B31m");
}

TEST(Printable, WhatTurnsTextAround) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\\u{202E}b");
}

TEST(Printable, LinesStay) {
  EXPECT_EQ(printableLines("a\n\tb\x1b\n"), "a\n\tb\\x1B\n");
}

TEST(Printable, AnyBytesBecomeOneLineOfUtf8) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    std::string Bytes;
    for (unsigned I = 0; I != 12; ++I)
      Bytes += char(Random() & 0xFF);
    const std::string Text = printable(Bytes);
    EXPECT_TRUE(llvm::json::isUTF8(Text)) << Round;
    for (unsigned char C : Text)
      EXPECT_TRUE(C >= 0x20 && C != 0x7F) << Round;
    EXPECT_EQ(printable(Text), Text) << Round;
  }
}
