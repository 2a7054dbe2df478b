//===- ConfigTest.cpp - Tests of the configuration file -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/Config.h"
#include "gpuocc/Config/ConfigKeys.h"
#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr StringRef Rules[] = {"BankConflict", "TailEffect"};

Config parsed(StringRef Text) {
  Expected<Config> C = parseConfig(Text, "dir/.gpu-occupancy", Rules);
  if (C)
    return *C;
  ADD_FAILURE() << toString(C.takeError());
  return Config();
}

std::string errorOf(StringRef Text) {
  Expected<Config> C = parseConfig(Text, "c", Rules);
  return C ? "no error" : toString(C.takeError());
}

TEST(Config, EverythingInTheDocumentedShape) {
  Config C = parsed(R"(# a comment
device: nvidia-h200
default_block: [128, 2]
launches:
  - kernel: transposeCoalesced
    grid: [256, 256, 1]
    block: [32, 8, 1]
    dynamic_shared_bytes: 0x400
    carveout_percent: 25
    arguments: {n: 8192, 2: -1, alpha: 0.5}
    array_bytes: {in: 4096, 1: 0x40}
    host_memory: [in, 1]
    trip_counts: {"transpose.cu:34": 4}
    places: {"transpose.cu:36": 64}
    odds: {"transpose.cu:35": 0.25}
  - kernel: /scan.*/
    grid: 40x2
findings:
  minimum_gain: 1.2
  suppress: [TailEffect]
)");
  EXPECT_EQ(C.File, "dir/.gpu-occupancy");
  EXPECT_EQ(C.Device, "nvidia-h200");
  ASSERT_TRUE(C.DefaultBlock);
  EXPECT_EQ(C.DefaultBlock->Value, (Dim3{128, 2, 1}));
  EXPECT_EQ(C.DefaultBlock->Source.text(), ".gpu-occupancy:3");
  ASSERT_EQ(C.Launches.size(), 2u);
  const LaunchSpec &L = C.Launches[0];
  EXPECT_EQ(L.Kernel, "transposeCoalesced");
  EXPECT_EQ(L.Source.text(), ".gpu-occupancy:5");
  EXPECT_EQ(L.Grid, (Dim3{256, 256, 1}));
  EXPECT_EQ(L.Block, (Dim3{32, 8, 1}));
  EXPECT_EQ(L.DynamicSharedBytes, 1024u);
  EXPECT_EQ(L.CarveoutPercent, 25u);
  EXPECT_EQ(L.ArrayBytes.at("in"), 4096u);
  EXPECT_EQ(L.ArrayBytes.at("1"), 64u);
  EXPECT_EQ(L.HostMemory, (std::vector<std::string>{"in", "1"}));
  EXPECT_EQ(L.Arguments.at("n").Integer, 8192);
  EXPECT_EQ(L.Arguments.at("2").Integer, -1);
  EXPECT_TRUE(L.Arguments.at("alpha").IsReal);
  EXPECT_EQ(L.TripCounts.at("transpose.cu:34"), 4);
  EXPECT_EQ(L.DistinctAddresses.at("transpose.cu:36"), 64);
  EXPECT_EQ(L.BranchProbabilities.at("transpose.cu:35"), 0.25);
  EXPECT_EQ(C.Launches[1].Grid, (Dim3{40, 2, 1}));
  EXPECT_FALSE(C.Launches[1].Block);
  EXPECT_EQ(C.MinimumGain, 1.2);
  EXPECT_EQ(C.Suppress, std::vector<std::string>{"TailEffect"});
}

TEST(Config, EmptyFilesSayNothing) {
  EXPECT_FALSE(parsed("").Device);
  EXPECT_FALSE(parsed("# only a comment\n").Device);
  EXPECT_TRUE(parsed("---\n").Launches.empty());
}

TEST(Config, ErrorsNamePlaceAndNearestKey) {
  EXPECT_EQ(errorOf("devise: x\n"),
            "c:1:1: error: unknown key 'devise'; did you mean 'device'?");
  EXPECT_EQ(errorOf("launches:\n  - kernel: k\n    gird: [1]\n"),
            "c:3:5: error: unknown key 'gird'; did you mean 'grid'?");
  EXPECT_EQ(errorOf("findings:\n  suppress: [BankConflicts]\n"),
            "c:2:14: error: unknown finding 'BankConflicts'; did you mean "
            "'BankConflict'?");
  EXPECT_EQ(errorOf("default_block: [0]\n"),
            "c:1:17: error: '0' is not W, WxH or WxHxD with positive integers");
  EXPECT_EQ(errorOf("device: a\ndevice: b\n"),
            "c:2:1: error: key 'device' is given twice");
  EXPECT_EQ(errorOf("launches:\n  - grid: [1]\n"),
            "c:2:5: error: a launch needs a 'kernel'");
  EXPECT_EQ(errorOf("launches: 3\n"), "c:1:11: error: expected a list");
  EXPECT_EQ(errorOf("- a\n"), "c:1:1: error: expected 'key: value' pairs");
}

TEST(Config, OtherVersionsAreRefusedInOneLine) {
  EXPECT_EQ(errorOf("version: 1\n"), "no error");
  EXPECT_EQ(errorOf("launches: []\nnew_key: 1\nversion: 2  # of later\n"),
            "c:3:1: error: this configuration has version 2; this "
            "gpu-occupancy reads version 1: take a newer gpu-occupancy");
  EXPECT_EQ(errorOf("version: one\n"),
            "c:1:10: error: 'one' is not the number of a version");
}

TEST(Config, SamplesOfAllVersionsAreRead) {
  for (unsigned V = 1; V <= currentVersion(FileFormat::Configuration); ++V) {
    Expected<Config> Sample = loadConfig(
        (GPUOCC_SOURCE_DIR "/test/formats/configuration-" + Twine(V) + ".yaml")
            .str(),
        Rules);
    ASSERT_TRUE(bool(Sample)) << toString(Sample.takeError());
    EXPECT_EQ(Sample->Launches.size(), 1u);
    EXPECT_EQ(Sample->Launches[0].BranchProbabilities.size(), 1u);
    EXPECT_EQ(Sample->MinimumGainOfRule.size(), 1u);
  }
}

TEST(Config, TheTableHasTheKeysThatAreRead) {
  auto Known = [](StringRef Section) {
    std::string Out;
    for (const ConfigKey &Key : configKeys())
      if (Key.Section == Section)
        Out += (Out.empty() ? "" : ", ") + Key.Name.str();
    return "unknown key 'qqqqqqqqq'; known: " + Out;
  };
  auto Said = [](StringRef Text) {
    return StringRef(errorOf(Text)).split("error: ").second.str();
  };
  EXPECT_EQ(Said("qqqqqqqqq: 1\n"), Known(""));
  EXPECT_EQ(Said("launches:\n  - qqqqqqqqq: 1\n"), Known("launches"));
  EXPECT_EQ(Said("findings:\n  qqqqqqqqq: 1\n"), Known("findings"));
  EXPECT_EQ(Said("findings: {rules: {BankConflict: {qqqqqqqqq: 1}}}\n"),
            Known("rules"));
}

TEST(Config, ValuesAreChecked) {
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    arguments: {n: many}\n")
                .find("c:3:20: error: 'many' is not a number"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    trip_counts: {x: 4}\n")
                .find("'x' is not FILE:LINE of a loop"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    memory: {rows: none.bin}\n")
                .find("there is no file"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    structs: {box: \"0g\"}\n")
                .find("hexadecimal digits"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    odds: {\"a.cu:1\": 2}\n")
                .find("odds are between 0 and 1"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: k\n    carveout_percent: 101\n")
                .find("'101' is not a percentage from 0 to 100"),
            std::string::npos);
  EXPECT_NE(errorOf("launches:\n  - kernel: /(/\n").find("regular expression"),
            std::string::npos);
  EXPECT_NE(errorOf("findings:\n  minimum_gain: big\n").find("not a number"),
            std::string::npos);
  EXPECT_NE(errorOf("device: [\n").find("c:"), std::string::npos);
  EXPECT_NE(errorOf("device: \"a\n").find("error"), std::string::npos);
}

TEST(Config, WhatIsNoTextIsOneClearLine) {
  EXPECT_EQ(errorOf(StringRef("\xFF\xFE"
                              "d\0e\0",
                              6)),
            "c:1:1: error: the file is in UTF-16; write it in UTF-8");
  EXPECT_EQ(errorOf("launches:\n\t- kernel: k\n"),
            "c:2:1: error: a tab indents the line; YAML takes spaces");
  EXPECT_EQ(errorOf("device: x\nlaunches:\n  \t- kernel: k\n"),
            "c:3:3: error: a tab indents the line; YAML takes spaces");
  EXPECT_EQ(errorOf("device: \"\xFF\"\n"),
            "c:1:10: error: the file is not in UTF-8");
  EXPECT_EQ(errorOf(StringRef("device: x\0", 10)),
            "c:1:10: error: a byte 0: this is no text file");
  // A mark of UTF-8 is no problem, nor is a tab behind a value.
  EXPECT_EQ(errorOf("\xEF\xBB\xBF"
                    "device: x\t# that one\n"),
            "no error");
}

TEST(Config, NearestFileAboveTheSource) {
  SmallString<128> Top;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("gpuocc-config", Top));
  SmallString<128> Below(Top), File(Top), Source;
  sys::path::append(Below, "a", "b");
  sys::path::append(File, ConfigFileName);
  ASSERT_FALSE(sys::fs::create_directories(Below));
  Source = Below;
  sys::path::append(Source, "k.cu");
  EXPECT_NE(findConfig(Source), File.str());
  {
    std::error_code EC;
    raw_fd_ostream Out(File, EC);
    Out << "device: x\n";
  }
  EXPECT_EQ(findConfig(Source), File.str());
  sys::fs::remove_directories(Top);
}

TEST(Config, AFolderIsAnError) {
  SmallString<128> Top;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("gpuocc-config", Top));
  Expected<Config> C = loadConfig(Top, Rules);
  sys::fs::remove_directories(Top);
  ASSERT_FALSE(bool(C));
  EXPECT_EQ(toString(C.takeError()),
            ("the configuration '" + Top + "' is a folder").str());
}

TEST(Config, MissingFileIsAnError) {
  Expected<Config> C = loadConfig("/no/such/file", Rules);
  ASSERT_FALSE(bool(C));
  EXPECT_NE(toString(C.takeError()).find("'/no/such/file'"), std::string::npos);
}

TEST(Config, ScannerErrorsInsideListsHaveAPlace) {
  const StringRef Start = "launches:\n  - kernel: k\n    block: ";
  for (StringRef List : {"[\"\"'2, 8, 1]", "[\xff, 8]", "[8, \xff]", "[8, @]",
                         "[8, [", "{8: \xff}", "[\"\\q\", 1]"})
    EXPECT_TRUE(StringRef(errorOf((Start + List).str())).starts_with("c:"))
        << List.str();
}

TEST(Config, ExceptionsOfAGate) {
  const Config C = parsed(R"(gate:
  - kernel: /^conv/
    fail_on: ["spills:+0", "registers:+8"]
  - kernel: gather
    allow: [slowdown, BankConflict]
    until: 2026-03-01
    reason: '#123'
)");
  ASSERT_EQ(C.Gate.size(), 2u);
  EXPECT_EQ(C.Gate[0].Kernel, "/^conv/");
  EXPECT_EQ(C.Gate[0].FailOn,
            (std::vector<std::string>{"spills:+0", "registers:+8"}));
  EXPECT_EQ(C.Gate[1].Allow,
            (std::vector<std::string>{"slowdown", "BankConflict"}));
  EXPECT_EQ(C.Gate[1].Until, "2026-03-01");
  EXPECT_EQ(C.Gate[1].Reason, "#123");
  EXPECT_EQ(C.Gate[1].Source, ".gpu-occupancy:4");
}

TEST(Config, ExceptionsNeedKernelAndReason) {
  EXPECT_EQ(errorOf("gate:\n  - allow: [slowdown]\n"),
            "c:2:5: error: an entry of 'gate' needs a 'kernel'");
  EXPECT_EQ(errorOf("gate:\n  - kernel: k\n    allow: [slowdown]\n"),
            "c:2:5: error: 'allow' needs a 'reason'");
  EXPECT_EQ(errorOf("gate:\n  - kernel: k\n    until: 1.3.2026\n"),
            "c:3:12: error: '1.3.2026' is no day such as 2026-03-01");
  EXPECT_EQ(errorOf("gate:\n  - kernel: k\n    alow: [slowdown]\n"),
            "c:3:5: error: unknown key 'alow'; did you mean 'allow'?");
}

TEST(Config, DamagedFilesAreReadWithoutHarm) {
  const std::string Sample =
      "device: nvidia-h200\ndefault_block: [128, 2]\nlaunches:\n"
      "  - kernel: \"scale\"\n    grid: [256, 'a', 1]\n    block: 40x2\n"
      "    arguments: {n: 8192, 2: -1, alpha: 0.5}\n"
      "    odds: {\"t.cu:35\": 0.25}\nfindings:\n  suppress: [TailEffect]\n";
  std::mt19937 Random(1);
  const StringRef Bytes = "{}[]\"'\\:,-?&*!|>%@#\n \t0x\xff\xc3\xef";
  for (unsigned I = 0; I != 20000; ++I) {
    std::string Text = Sample;
    for (unsigned Changes = 1 + Random() % 4; Changes != 0; --Changes) {
      const size_t At = Random() % Text.size();
      const char Byte = Bytes[Random() % Bytes.size()];
      switch (Random() % 4) {
      case 0:
        Text.insert(At, 1, Byte);
        break;
      case 1:
        Text.erase(At, 1 + Random() % 9);
        break;
      default:
        Text[At] = Byte;
      }
    }
    if (Expected<Config> C = parseConfig(Text, "c", Rules); !C)
      EXPECT_FALSE(toString(C.takeError()).empty()) << Text;
  }
}

} // namespace
