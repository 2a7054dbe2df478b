//===- AllowedOptionsTest.cpp - Options that a repository may decide ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/KnownCompilers.h"
#include "gpuocc/Toolchain/Process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static SortedOptions sorted(std::vector<std::string> Arguments) {
  return sortOptions(Arguments, "/tree");
}

TEST(AllowedOptions, WhatDecidesCodeIsTaken) {
  const std::vector<std::string> Options = {
      "-std=c++20", "-fno-exceptions", "-DX=\"a b\"", "-UY",
      "-O2",        "-march=x86-64",   "-Wall",       "-Wno-error=x",
      "-fopenmp",   "-fPIC",           "-g",          "-ffp-contract=off"};
  SortedOptions S = sorted(Options);
  EXPECT_EQ(S.Taken, Options);
  EXPECT_THAT(S.Dropped, IsEmpty());
}

TEST(AllowedOptions, PathsBecomeAbsolute) {
  EXPECT_THAT(
      sorted({"-Ia", "-I", "b", "-I/c", "-isystemd", "-iquote", "e"}).Taken,
      ElementsAre("-I/tree/a", "-I/tree/b", "-I/c", "-isystem", "/tree/d",
                  "-iquote", "/tree/e"));
  // Clang would read options from it.
  EXPECT_THAT(sorted({"-include", "@x", "-include", "h.h"}).Taken,
              ElementsAre("-include", "/tree/@x", "-include", "h.h"));
  // As a word with the name it would be another option.
  EXPECT_THAT(sorted({"-include-x", "x"}).Taken,
              ElementsAre("-include", "/tree/-x"));
  // As CMake writes it.
  EXPECT_THAT(sorted({"-Xclang", "-include", "-Xclang", "a.h"}).Taken,
              ElementsAre("-include", "a.h"));
}

TEST(AllowedOptions, WhatRunsOrWritesIsDropped) {
  const std::vector<std::string> Options = {"-fplugin=x.so",
                                            "-fpass-plugin=x.so",
                                            "-mllvm",
                                            "-gpu-occupancy-ptxas=x",
                                            "--config=x",
                                            "-B.",
                                            "-wrapper",
                                            "-specs=x",
                                            "-foptimization-record-file=x",
                                            "-fsave-optimization-record",
                                            "-ftime-trace=x",
                                            "-gsplit-dwarf",
                                            "-fstack-usage",
                                            "--coverage",
                                            "-serialize-diagnostics",
                                            "-dependency-file",
                                            "-header-include-file",
                                            "-fmodules-cache-path=x",
                                            "-fdiagnostics-add-output=sarif",
                                            "-ivfsoverlayx",
                                            "-Wp,-x",
                                            "-Wa,-o,x",
                                            "-fno-",
                                            "-f",
                                            "-Wx;y"};
  SortedOptions S = sorted(Options);
  EXPECT_EQ(S.Dropped, Options);
  EXPECT_THAT(S.Taken, IsEmpty());
}

TEST(AllowedOptions, WordsForAPartAreTakenAsTheOptionIs) {
  SortedOptions S = sorted({"-Xclang", "-load", "-Xclang", "x.so", "-Xclang",
                            "-fno-rtti", "-Xarch_device", "-O1", "-Xclang"});
  EXPECT_THAT(S.Taken,
              ElementsAre("-Xclang", "-fno-rtti", "-Xarch_device", "-O1"));
  EXPECT_THAT(S.Dropped,
              ElementsAre("-Xclang -load", "-Xclang x.so", "-Xclang"));
}

TEST(AllowedOptions, PhasesAndOutputsGoWithTheirValues) {
  SortedOptions S = sorted({"-c", "-o", "k.o", "-ok.o", "-MF", "k.d", "-MFk.d",
                            "-x", "cuda", "-save-temps=obj", "-lcudart", "-L",
                            "lib", "-Wl,-rpath,x", "k.cu"});
  EXPECT_THAT(S.Taken, IsEmpty());
  EXPECT_THAT(S.Dropped, IsEmpty());
  EXPECT_THAT(S.Inputs, ElementsAre("k.cu"));
}

TEST(AllowedOptions, ResponseFilesAreSortedToo) {
  TemporaryFile File = cantFail(TemporaryFile::create("gpuocc", "rsp"));
  const std::string Name = "@" + File.path().str();
  cantFail(File.write("-DX='a b' -fplugin=x.so " + Name));
  SortedOptions S = sorted({Name, "@none"});
  EXPECT_EQ(S.Taken.front(), "-DX=a b");
  EXPECT_EQ(S.Dropped.front(), "-fplugin=x.so");
  EXPECT_THAT(S.Dropped.back(), HasSubstr("'/tree/none': No such file"));
}

TEST(AllowedOptions, ListsHoldAnyText) {
  for (const char *Text : {"a,b", "a\\,b", ",", "a\\"})
    EXPECT_THAT(splitList(asOneOfList(Text)), ElementsAre(Text));
  EXPECT_THAT(splitList("a,b\\,c,,d"), ElementsAre("a", "b,c", "d"));
}

TEST(KnownCompilers, AreThoseOfTheSystem) {
  EXPECT_TRUE(mayRunCompiler("/usr/bin/g++", {}));
  EXPECT_TRUE(mayRunCompiler("/usr/bin/x86_64-linux-gnu-g++-12", {}));
  EXPECT_TRUE(mayRunCompiler("/usr/local/bin/clang++-22", {}));
  EXPECT_FALSE(mayRunCompiler("/usr/bin/python3", {}));
  EXPECT_FALSE(mayRunCompiler("/usr/bin/../../tree/g++", {}));
  EXPECT_FALSE(mayRunCompiler("./g++", {}));
  EXPECT_FALSE(mayRunCompiler("/tree/g++", {}));
  EXPECT_FALSE(mayRunCompiler("no-such-program-g++", {}));
  EXPECT_TRUE(mayRunCompiler("/opt/a/g++", {"/opt/*/g++"}));
  EXPECT_FALSE(mayRunCompiler("/opt/$(x)/g++", {"/opt/*/g++"}));
}
