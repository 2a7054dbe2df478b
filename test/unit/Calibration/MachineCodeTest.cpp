//===- MachineCodeTest.cpp - Instructions of a cubin and their distances --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/BothWays.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

namespace {
using Encodings = std::vector<std::pair<uint64_t, uint64_t>>;

/// As ptxas 13.0 encodes them for sm_90: FFMA R7, R3, R7, R6 with a stall of 6
/// and MUFU.EX2 R7, R7, which sets a barrier, with one of 2.
constexpr std::pair<uint64_t, uint64_t> Ffma = {0x0000000703077223,
                                                0x001fcc0000000006},
                                        Mufu = {0x0000000700077308,
                                                0x000e240000000800};

constexpr unsigned FfmaOpcode = 0x023, MufuOpcode = 0x108;

/// An ELF file with the section names and one of \p Code.
std::string elf(const std::string &Section, const Encodings &Code) {
  std::string Names = std::string("\0.shstrtab\0", 11) + Section + '\0';
  ELF::Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELF::ElfMagic, 4);
  Header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  Header.e_shnum = 3;
  Header.e_shstrndx = 1;
  Header.e_shoff = sizeof(Header);
  ELF::Elf64_Shdr Sections[3] = {};
  Sections[1].sh_name = 1;
  Sections[1].sh_offset = sizeof(Header) + sizeof(Sections);
  Sections[1].sh_size = Names.size();
  Sections[2].sh_name = 11;
  Sections[2].sh_offset = Sections[1].sh_offset + Names.size();
  Sections[2].sh_size = Code.size() * 16;
  std::string File(reinterpret_cast<char *>(&Header), sizeof(Header));
  File.append(reinterpret_cast<char *>(Sections), sizeof(Sections));
  File += Names;
  for (auto [Lower, Upper] : Code) {
    File.append(reinterpret_cast<const char *>(&Lower), 8);
    File.append(reinterpret_cast<const char *>(&Upper), 8);
  }
  return File;
}

std::vector<EncodedInstruction> code(const Encodings &Code) {
  return instructionsOf(elf(".text.k", Code), "k");
}
} // namespace

TEST(MachineCode, KnowsWhatAnInstructionIsAndWhatFollowsIt) {
  std::vector<EncodedInstruction> Code = code({Ffma, Mufu});
  ASSERT_EQ(Code.size(), 2u);
  EXPECT_EQ(Code[0].Opcode, FfmaOpcode);
  EXPECT_EQ(Code[0].StallCycles, 6u);
  EXPECT_FALSE(Code[0].SetsBarrier);
  EXPECT_EQ(Code[1].Opcode, MufuOpcode);
  EXPECT_EQ(Code[1].StallCycles, 2u);
  EXPECT_TRUE(Code[1].SetsBarrier);
}

TEST(MachineCode, IsEmptyWhereThereIsNoSuchKernel) {
  std::string File = elf(".text.k", {Ffma});
  EXPECT_TRUE(instructionsOf(File, "another").empty());
  EXPECT_TRUE(instructionsOf("", "k").empty());
  EXPECT_TRUE(instructionsOf("no ELF file at all", "k").empty());
  // Cut off anywhere, it is read no further.
  for (size_t Size = 0; Size < File.size(); ++Size)
    instructionsOf(StringRef(File).take_front(Size), "k");
}

TEST(MachineCode, FindsTheFrequentOpcodes) {
  // A NOP, of which longer stalls are made, is never one.
  std::pair<uint64_t, uint64_t> Nop = {0x7918, 0x000fc00000000000};
  EXPECT_EQ(frequentOpcodes(code({Ffma, Mufu, Ffma, Nop, Nop}), 2),
            std::set<unsigned>{FfmaOpcode});
}

TEST(IssueDistance, AddsUpTheStallsBetween) {
  std::pair<uint64_t, uint64_t> Other = {0x7919, 0x000fca0000000000};
  std::vector<EncodedInstruction> Code = code({Ffma, Other, Mufu, Ffma, Mufu});
  auto There = issueDistance(Code, {FfmaOpcode}, {MufuOpcode});
  ASSERT_TRUE(There);
  // 6 and 5 cycles once, 6 the other time.
  EXPECT_EQ(There->Cycles, 8.5);
  EXPECT_FALSE(There->SetsBarrier);
  auto Back = issueDistance(Code, {MufuOpcode}, {FfmaOpcode});
  ASSERT_TRUE(Back);
  EXPECT_TRUE(Back->SetsBarrier);
  EXPECT_FALSE(issueDistance(Code, {FfmaOpcode}, {0x1u}));
}

TEST(IssueDistance, LeavesOutWhatIsFarApart) {
  // A multiplication of the prologue, long before the loop.
  std::pair<uint64_t, uint64_t> Long = {0x7919, 0x000fde0000000000};
  auto There = issueDistance(
      code({Ffma, Long, Long, Mufu, Ffma, Mufu, Ffma, Mufu, Ffma, Mufu}),
      {FfmaOpcode}, {MufuOpcode});
  ASSERT_TRUE(There);
  EXPECT_EQ(There->Cycles, 6);
}

TEST(BothWays, AFixedLatencyLeavesTheOtherOne) {
  // FFMA to MUFU takes the stall of 6, so 17 of 23 are the way back.
  auto W = bothWays(23, IssueDistance{6, false}, IssueDistance{2, true}, 4, 17);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->There, 6);
  EXPECT_EQ(W->Back, 17);
  W = bothWays(23, IssueDistance{2, true}, IssueDistance{6, false}, 17, 4);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->There, 17);
  EXPECT_EQ(W->Back, 6);
}

TEST(BothWays, WhatIsBeyondBothIsSplitEvenly) {
  // Two fixed latencies: what is beyond the stalls.
  auto W = bothWays(14, IssueDistance{5, false}, IssueDistance{5, false}, 9, 4);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->There, 7);
  EXPECT_EQ(W->Back, 7);
  // Without machine code, or where both vary: what is beyond the latencies.
  for (auto D : {std::optional<IssueDistance>(),
                 std::optional<IssueDistance>({2, true})}) {
    W = bothWays(43, D, D, 17, 24);
    ASSERT_TRUE(W);
    EXPECT_EQ(W->There, 18);
    EXPECT_EQ(W->Back, 25);
  }
  EXPECT_FALSE(bothWays(43, {}, {}, 17, std::nullopt));
}
