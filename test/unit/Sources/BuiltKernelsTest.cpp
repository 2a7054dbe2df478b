//===- BuiltKernelsTest.cpp - Resources of the kernels in a binary --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sources/BuiltKernels.h"
#include "sources/FatBinary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

namespace {

template <typename T> void append(std::string &Out, T Value) {
  Out.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

/// An instruction of \p Opcode whose width has the code \p Width.
std::string instruction(uint64_t Opcode, uint64_t Width) {
  std::string Out;
  append<uint64_t>(Out, Opcode | 0x7000);
  append<uint64_t>(Out, Width << 9);
  return Out;
}

/// A container of one part with \p Content.
std::string container(std::string Content, uint64_t Flags, uint64_t Original,
                      uint16_t Kind = 2) {
  const uint64_t Size = Content.size();
  Content.resize((Size + 7) / 8 * 8);
  std::string Part;
  append<uint16_t>(Part, Kind);
  append<uint16_t>(Part, 0x101);
  append<uint32_t>(Part, 64);
  append<uint64_t>(Part, Content.size());
  append<uint64_t>(Part, Flags ? Size : 0);
  Part.resize(40);
  append<uint64_t>(Part, Flags);
  append<uint64_t>(Part, 0);
  append<uint64_t>(Part, Original);
  std::string Out = "\x50\xed\x55\xba";
  append<uint16_t>(Out, 1);
  append<uint16_t>(Out, 16);
  append<uint64_t>(Out, Part.size() + Content.size());
  return Out + Part + Content;
}

/// What forEachCubin() visits, and its error.
std::string visited(StringRef Bytes) {
  std::string Seen;
  Error E = forEachCubin(Bytes, [&](StringRef Cubin) {
    Seen += "[" + Cubin.str() + "]";
    return Error::success();
  });
  return E ? toString(std::move(E)) : Seen;
}

} // namespace

TEST(LocalTraffic, CountsBytesOfLoadsAndStores) {
  const std::string Code = instruction(0x387, 4) + instruction(0x387, 6) +
                           instruction(0x983, 5) + instruction(0x983, 0) +
                           instruction(0x381, 6) + "rest";
  const LocalTraffic Local = localTrafficOf(Code);
  EXPECT_EQ(Local.StoredBytes, 20u);
  EXPECT_EQ(Local.LoadedBytes, 9u);
  EXPECT_EQ(localTrafficOf("").StoredBytes, 0u);
}

TEST(FatBinary, PartsAreFoundAndDecompressed) {
  EXPECT_EQ(visited("no device code"), "");
  EXPECT_EQ(visited(container("12345678", 0, 0)), "[12345678]");
  const std::string Lz4 = std::string("\x30") + "abc";
  EXPECT_EQ(visited("object" + container(Lz4, 0x2000, 3) + "more" +
                    container("87654321", 0, 0)),
            "[abc][87654321]");
  // PTX is no machine code.
  EXPECT_EQ(visited(container("12345678", 0, 0, /*Kind=*/1)), "");
  // The magic may be anywhere in data.
  EXPECT_EQ(visited("\x50\xed\x55\xba"), "");
}

TEST(FatBinary, DamageIsOneLine) {
  const std::string Good = container("12345678", 0, 0);
  EXPECT_THAT(visited(StringRef(Good).drop_back()),
              testing::HasSubstr("a container of 88 bytes, of which the file "
                                 "holds 87"));
  EXPECT_THAT(visited(container("12345678", 0x2000, 3)),
              testing::HasSubstr("a compressed part does not decompress"));
  EXPECT_THAT(visited(container("12345678", 0x8000, 3)),
              testing::HasSubstr("compress"));
  EXPECT_THAT(visited(container("12345678", 0x8000, uint64_t(1) << 60)),
              testing::HasSubstr("damaged"));
}

TEST(FatBinary, AnyBytesAreReadWithoutHarm) {
  std::mt19937 Random(5);
  const std::string Good = container("12345678", 0x2000, 3) +
                           std::string("\x7f"
                                       "ELF\2\1\1",
                                       7) +
                           std::string(100, '\0');
  for (unsigned Turn = 0; Turn != 20000; ++Turn) {
    std::string Bytes = Good.substr(0, Random() % (Good.size() + 1));
    for (unsigned Changes = Random() % 4; !Bytes.empty() && Changes; --Changes)
      Bytes[Random() % Bytes.size()] = char(Random());
    Expected<std::vector<BuiltKernel>> Kernels = builtKernels(Bytes);
    if (!Kernels)
      EXPECT_EQ(toString(Kernels.takeError()).find('\n'), std::string::npos);
  }
}
