//===- NvccArgumentsTest.cpp - nvcc's command line for clang --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/NvccArguments.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static TranslatedArguments translated(std::vector<std::string> Arguments) {
  return cantFail(
      translateNvccArguments(Arguments, "/", UnknownArguments::Drop));
}

TEST(NvccArguments, ArchitecturesOfEachSpelling) {
  EXPECT_THAT(translated({"-arch=sm_90"}).Architectures, ElementsAre("sm_90"));
  EXPECT_THAT(translated({"-arch", "compute_80"}).Architectures,
              ElementsAre("sm_80"));
  EXPECT_THAT(translated({"--gpu-architecture=sm_90a"}).Architectures,
              ElementsAre("sm_90a"));
  EXPECT_THAT(translated({"-gencode", "arch=compute_80,code=sm_86",
                          "--generate-code=arch=compute_90,code=[sm_90,"
                          "compute_90]",
                          "-gencode=arch=compute_90,code=compute_90"})
                  .Architectures,
              ElementsAre("sm_86", "sm_90"));
  EXPECT_THAT(translated({"-arch=native"}).Architectures, IsEmpty());
}

TEST(NvccArguments, WhatClangCallsOtherwise) {
  EXPECT_THAT(translated({"-rdc=true"}).Clang, ElementsAre("-fgpu-rdc"));
  EXPECT_THAT(translated({"-rdc=false"}).Clang, IsEmpty());
  EXPECT_THAT(translated({"-dc"}).Clang, ElementsAre("-fgpu-rdc"));
  EXPECT_THAT(translated({"-use_fast_math"}).Clang,
              ElementsAre("-ffast-math", "-fgpu-flush-denormals-to-zero",
                          "-fgpu-approx-transcendentals"));
  EXPECT_THAT(
      translated({"--fmad=false", "-ftz=true"}).Clang,
      ElementsAre("-ffp-contract=off", "-fgpu-flush-denormals-to-zero"));
  EXPECT_THAT(translated({"-G"}).Clang, ElementsAre("-g", "-O0"));
}

TEST(NvccArguments, MacrosAndPathsOfEachSpelling) {
  EXPECT_THAT(translated({"-DA=1", "-D", "B", "--define-macro", "C,D=2"}).Clang,
              ElementsAre("-DA=1", "-DB", "-DC", "-DD=2"));
  EXPECT_THAT(
      translated({"-Ia", "-I", "b", "-isystem=c", "-isystem", "d"}).Clang,
      ElementsAre("-Ia", "-Ib", "-isystemc", "-isystemd"));
  EXPECT_THAT(translated({"-std=c++17", "--std", "c++20"}).Clang,
              ElementsAre("-std=c++17", "-std=c++20"));
}

TEST(NvccArguments, OfTheHostCompilerWhatDeviceCodeSees) {
  EXPECT_THAT(translated({"-Xcompiler", "-fPIC,-DX=1,-Wall", "-Xcompiler=-O2",
                          "--compiler-options", "'-fopenmp'"})
                  .Clang,
              ElementsAre("-DX=1", "-fopenmp"));
}

TEST(NvccArguments, HostOptionsInOneQuotedWord) {
  EXPECT_THAT(translated({"-Xcompiler", "-Wall -DX=1 -fPIC,'-DY=2 -O2'"}).Clang,
              ElementsAre("-DX=1", "-DY=2"));
}

TEST(NvccArguments, RegisterCapOfBothSpellings) {
  EXPECT_EQ(translated({"-maxrregcount=32"}).MaxRegisters, 32u);
  EXPECT_EQ(translated({"--maxrregcount", "40"}).MaxRegisters, 40u);
  EXPECT_EQ(translated({"-Xptxas", "-v,-maxrregcount=64"}).MaxRegisters, 64u);
  EXPECT_EQ(translated({"-Xptxas", "-v"}).MaxRegisters, std::nullopt);
}

TEST(NvccArguments, DroppedOptionsTakeTheirValuesAlong) {
  TranslatedArguments T = translated({"-ccbin",
                                      "g++-12",
                                      "-x",
                                      "cu",
                                      "-c",
                                      "k.cu",
                                      "-o",
                                      "k.o",
                                      "-MD",
                                      "-MF",
                                      "k.d",
                                      "-MT",
                                      "k.o",
                                      "-O3",
                                      "-lcudart",
                                      "-L",
                                      "lib",
                                      "-t4",
                                      "-lineinfo",
                                      "--expt-relaxed-constexpr",
                                      "--extended-lambda",
                                      "-diag-suppress",
                                      "20012",
                                      "-Werror",
                                      "all-warnings"});
  EXPECT_THAT(T.Clang, IsEmpty());
  EXPECT_THAT(T.Inputs, ElementsAre("k.cu"));
  EXPECT_THAT(T.Dropped, ElementsAre("-t4"));
}

TEST(NvccArguments, UnknownOnesGoToClangWhereAskedFor) {
  std::vector<std::string> Arguments = {"-fno-strict-aliasing"};
  EXPECT_THAT(translated(Arguments).Dropped,
              ElementsAre("-fno-strict-aliasing"));
  EXPECT_THAT(
      cantFail(translateNvccArguments(Arguments, "/", UnknownArguments::Keep))
          .Clang,
      ElementsAre("-fno-strict-aliasing"));
}

TEST(NvccArguments, ResponseFilesAreReadAndLoopsEnd) {
  SmallString<128> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "rsp", Path));
  FileRemover Remove(Path);
  std::error_code EC;
  {
    raw_fd_ostream OS(Path, EC);
    OS << "-DNAME='a b'\n-arch=sm_80";
  }
  TranslatedArguments T = translated({("@" + Path).str()});
  EXPECT_THAT(T.Clang, ElementsAre("-DNAME=a b"));
  EXPECT_THAT(T.Architectures, ElementsAre("sm_80"));
  {
    raw_fd_ostream OS(Path, EC);
    OS << "--options-file " << Path;
  }
  Expected<TranslatedArguments> Loop = translateNvccArguments(
      {std::string("-optf"), Path.str().str()}, "/", UnknownArguments::Drop);
  ASSERT_FALSE(Loop);
  EXPECT_THAT(toString(Loop.takeError()), HasSubstr("without end"));
  Expected<TranslatedArguments> Missing = translateNvccArguments(
      {std::string("@nowhere.rsp")}, "/", UnknownArguments::Drop);
  ASSERT_FALSE(Missing);
  EXPECT_THAT(toString(Missing.takeError()),
              HasSubstr("cannot read response file '/nowhere.rsp'"));
}

TEST(NvccArguments, CommandLinesOfNvccAreRecognized) {
  EXPECT_TRUE(isForNvcc({"-Iinclude", "-gencode=arch=compute_90,code=sm_90"}));
  EXPECT_TRUE(isForNvcc({"--expt-relaxed-constexpr"}));
  EXPECT_FALSE(isForNvcc({"-Iinclude", "-DX", "-Werror", "arch=sm_90"}));
}

TEST(NvccArguments, WhatNvccIsToldForItsPtx) {
  TranslatedArguments T = translated(
      {"-ccbin", "g++", "-arch=sm_90", "-Iinc", "-isystem", "/sys", "-DA=b,c",
       "-use_fast_math", "-maxrregcount=32", "-Xptxas", "-v,-O1", "-dc", "-o",
       "a.o", "-MD", "-lineinfo", "--our-own-option", "-Xcompiler=-fPIC"});
  EXPECT_THAT(T.Nvcc,
              ElementsAre("--compiler-bindir=g++", "--include-path=/inc",
                          "--system-include=/sys", "--define-macro=A=b,c",
                          "--use_fast_math", "--maxrregcount=32",
                          "--relocatable-device-code=true",
                          "--compiler-options=-fPIC"));
  EXPECT_THAT(T.Ptxas, ElementsAre("-O1", "--compile-only"));
  EXPECT_EQ(T.MaxRegisters, 32u);
}

TEST(NvccArguments, WhatClangCallsOtherwiseIsToldNvccInItsWords) {
  TranslatedArguments T = cantFail(translateNvccArguments(
      {"-ffast-math", "-Wall", "-DX"}, "/", UnknownArguments::Keep));
  EXPECT_THAT(T.Nvcc, ElementsAre("--use_fast_math", "--define-macro=X"));
}

TEST(NvccArguments, DebugCodeIsAssembledAsNvccDoes) {
  EXPECT_THAT(translated({"-G"}).Ptxas,
              ElementsAre("-g", "--dont-merge-basicblocks", "--return-at-end"));
}

static TranslatedArguments ofRepository(std::vector<std::string> Arguments) {
  return cantFail(translateNvccArguments(
      Arguments, "/tree", UnknownArguments::Drop, {/*IsRepository=*/true, {}}));
}

TEST(NvccArguments, ARepositoryDecidesWhatCodeSays) {
  TranslatedArguments T = ofRepository(
      {"-arch=sm_90", "-Iinc", "-DA=$(x)", "--std=c++17", "-use_fast_math",
       "-Xcompiler", "-fPIC,-Isub,-isystem,/sys", "-Xptxas", "-v,-dlcm=ca",
       "--forward-unknown-to-host-compiler", "-fopenmp"});
  EXPECT_THAT(T.Dropped, IsEmpty());
  EXPECT_THAT(T.Clang,
              ElementsAre("-I/tree/inc", "-DA=$(x)", "-std=c++17",
                          "-ffast-math", "-fgpu-flush-denormals-to-zero",
                          "-fgpu-approx-transcendentals", "-I/tree/sub",
                          "-isystem/sys", "-fopenmp"));
  EXPECT_THAT(
      T.Nvcc,
      ElementsAre("--include-path=/tree/inc", "--define-macro=A=$(x)",
                  "--std=c++17", "--use_fast_math",
                  "--forward-unknown-to-host-compiler",
                  "--compiler-options=-fPIC", "--compiler-options=-I/tree/sub",
                  "--compiler-options=-isystem", "--compiler-options=/sys",
                  "--compiler-options=-fopenmp"));
  EXPECT_THAT(T.Ptxas, ElementsAre("-dlcm=ca"));
}

TEST(NvccArguments, ARepositoryDecidesNothingElse) {
  TranslatedArguments T = ofRepository(
      {"-ccbin=./g++", "-Xcompiler=-fplugin=x.so,-B./bin,-wrapper,sh",
       "-Xcompiler", "-DB=1 -specs=x", "-Xptxas=--output-file=k", "--std=$(x)",
       "-arch=sm_$(x)", "-okept.o", "--keep", "-save-temps",
       "--forward-unknown-opts", "-fpass-plugin=x.so"});
  EXPECT_THAT(T.Dropped,
              ElementsAre("-ccbin=./g++", "-Xptxas --output-file=k",
                          "--std=$(x)", "-okept.o", "-fplugin=x.so", "-B./bin",
                          "-wrapper", "-specs=x", "-fpass-plugin=x.so"));
  EXPECT_THAT(T.Clang, ElementsAre("-DB=1"));
  EXPECT_THAT(T.Nvcc, ElementsAre("--forward-unknown-opts",
                                  "--compiler-options=-DB=1"));
  EXPECT_THAT(T.Ptxas, IsEmpty());
  EXPECT_THAT(T.Architectures, IsEmpty());
}
