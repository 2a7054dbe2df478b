//===- FactsJSONTest.cpp - Facts to JSON and back -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RandomFacts.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr unsigned Seeds = 200;

std::string printed(const json::Value &V) { return formatv("{0:2}", V).str(); }

template <typename T> Expected<T> readBack(const T &Value) {
  return json::parse<T>(printed(toJSON(Value)));
}

TEST(FactsJSON, RandomFactsSurvive) {
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    SCOPED_TRACE(Seed);
    KernelFacts Facts = RandomValues(Seed).facts();
    ASSERT_FALSE(errorToBool(verifyFacts(Facts)));
    Expected<KernelFacts> Back = readBack(Facts);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(Facts, *Back);
  }
}

TEST(FactsJSON, RandomLaunchesSurvive) {
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    SCOPED_TRACE(Seed);
    Launch L = RandomValues(Seed).launch();
    Expected<Launch> Back = readBack(L);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(L, *Back);
  }
}

TEST(FactsJSON, RandomProfilesSurvive) {
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    SCOPED_TRACE(Seed);
    RandomValues Random(Seed);
    ExecutionProfile Profile = Random.profile(Random.facts());
    Expected<ExecutionProfile> Back = readBack(Profile);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(Profile, *Back);
  }
}

TEST(FactsJSON, FileSurvives) {
  RandomValues Random(7);
  FactsFile File{
      "dir/kernel.cu", {Random.facts(), Random.facts()}, {}, "no log", "5f"};
  std::string Text;
  raw_string_ostream OS(Text);
  writeFactsFile(File, OS);
  Expected<FactsFile> Back = parseFactsFile(Text, "facts");
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(File, *Back);
}

std::string errorOf(StringRef Text) {
  Expected<FactsFile> File = parseFactsFile(Text, "f.json");
  return File ? "" : toString(File.takeError());
}

TEST(FactsJSON, ErrorsNameFileAndPlace) {
  EXPECT_NE(errorOf("{").find("'f.json'"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("'f.json'"), std::string::npos);
  EXPECT_NE(errorOf(R"({"schema_version":2,"source":"",
                       "kernels":[{"nmae":"k"}]})")
                .find("unknown key at facts.kernels[0].nmae"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"schema_version":2,"source":"","kernels":[
                       {"operations":[{"operands":["%x"]}]}]})")
                .find("malformed text at "
                      "facts.kernels[0].operations[0].operands[0]"),
            std::string::npos);
}

TEST(FactsJSON, PartsThatDoNotFitAreRejected) {
  EXPECT_NE(errorOf(R"({"schema_version":2,"source":"","kernels":[
                       {"name":"k","accesses":[{"op":3}]}]})")
                .find("kernel 'k': access 0: operation refers to 3 of 0"),
            std::string::npos);
}

TEST(FactsJSON, TextThatIsNotUtf8IsRepaired) {
  KernelFacts Facts;
  Facts.Name = "caf\xe9";
  Expected<KernelFacts> Back = readBack(Facts);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(Back->Name, "caf\xef\xbf\xbd");
}

TEST(VerifyFacts, FindsOperationsOutsideTheirBlock) {
  KernelFacts Facts = RandomValues(3).facts();
  ASSERT_FALSE(Facts.Operations.empty());
  Facts.Operations.back().Block = uint32_t(Facts.Blocks.size());
  EXPECT_TRUE(errorToBool(verifyFacts(Facts)));
}

} // namespace

TEST(FactsJSON, OtherVersionsAreRefusedInOneLine) {
  for (StringRef Version : {"1", "3"})
    EXPECT_EQ(errorOf(("{\"schema_version\":" + Version + ",\"new\":1}").str()),
              ("'f.json': this facts file has version " + Version +
               "; this gpu-occupancy reads version 2: " +
               (Version == "1" ? "write it again with "
                                 "'-mllvm -gpu-occupancy-facts-file=FILE'"
                               : "take a newer gpu-occupancy"))
                  .str());
}

TEST(FactsJSON, TheSampleOfTheVersionIsRead) {
  const std::string Path = GPUOCC_SOURCE_DIR "/test/formats/facts-" +
                           std::to_string(FactsSchemaVersion) + ".json";
  auto Text = llvm::MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Text)) << "no sample " << Path;
  Expected<FactsFile> File = parseFactsFile((*Text)->getBuffer(), Path);
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  ASSERT_EQ(File->Kernels.size(), 1u);
  EXPECT_EQ(File->Kernels[0].Name, "scale");
}
