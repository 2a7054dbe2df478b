//===- CompileCommandsTest.cpp - The compilation database of a build ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/CompileCommands.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::HasSubstr;

static std::string problem(StringRef Text) {
  Expected<std::vector<CompileCommand>> Commands =
      parseCompileCommands(Text, "/b/compile_commands.json");
  return Commands ? "" : toString(Commands.takeError());
}

TEST(CompileCommands, CommandsAndArgumentsAreReadAlike) {
  std::vector<CompileCommand> Commands = cantFail(parseCompileCommands(
      R"([{"directory": "/b/sub", "file": "../k.cu",
           "command": "/usr/bin/nvcc -DA=\"x y\" -c ../k.cu"},
          {"directory": "out", "file": "/s/m.cu",
           "arguments": ["ccache", "clang++", "-c", "/s/m.cu"]}])",
      "/b/compile_commands.json"));
  ASSERT_EQ(Commands.size(), 2u);
  EXPECT_EQ(Commands[0].File, "/b/k.cu");
  EXPECT_TRUE(Commands[0].isByNvcc());
  EXPECT_THAT(Commands[0].options(), ElementsAre("-DA=x y", "-c", "../k.cu"));
  EXPECT_EQ(Commands[1].Directory, "/b/out");
  EXPECT_FALSE(Commands[1].isByNvcc());
  EXPECT_THAT(Commands[1].options(), ElementsAre("-c", "/s/m.cu"));
}

TEST(CompileCommands, LaunchersAreNotTheCompiler) {
  std::vector<CompileCommand> Commands = cantFail(parseCompileCommands(
      R"([{"directory": "/", "file": "k.cu",
           "arguments": ["/opt/ccache", "/cuda/bin/nvcc", "-c", "k.cu"]}])",
      "c.json"));
  EXPECT_TRUE(Commands[0].isByNvcc());
  EXPECT_THAT(Commands[0].options(), ElementsAre("-c", "k.cu"));
}

TEST(CompileCommands, EachKindOfBadInputHasItsMessage) {
  EXPECT_THAT(problem("[{"), HasSubstr("is not JSON"));
  EXPECT_THAT(problem("{}"), HasSubstr("expected an array"));
  EXPECT_THAT(problem(R"([{"directory": "/", "file": "a", "command": ""}])"),
              HasSubstr("commands[0]"));
  EXPECT_THAT(problem(R"([{"directory": "/", "command": "nvcc"}])"),
              HasSubstr("commands[0].file"));
}
