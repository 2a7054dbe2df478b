//===- LinkHostTest.cpp - Linking host code without a GPU's libraries -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/LinkHost.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

using Names = std::vector<std::string>;

TEST(LinkHost, NamesInWhatLinkersSay) {
  EXPECT_EQ(undefinedSymbols(
                "/usr/bin/ld: a.o: in function `main':\n"
                "a.cpp:(.text+0x1): undefined reference to `cublasCreate_v2'\n"
                "a.cpp:(.text+0x9): undefined reference to `_Z3sumPfi'\n"
                "a.cpp:(.text+0x9): undefined reference to `_Z3sumPfi'\n"),
            (Names{"_Z3sumPfi", "cublasCreate_v2"}));
  EXPECT_EQ(undefinedSymbols("ld.lld: error: undefined symbol: cuInit\n"
                             ">>> referenced by a.cpp\n"),
            Names{"cuInit"});
  EXPECT_TRUE(undefinedSymbols("cannot find -lm").empty());
}

TEST(LinkHost, CudaLibrariesHaveTheirPrefixes) {
  for (const char *Name : {"cudaMallocArray", "__cudaInitModule", "cuInit",
                           "cublasSgemm_v2", "ncclAllReduce"})
    EXPECT_TRUE(isOfCudaLibrary(Name)) << Name;
  for (const char *Name : {"_Z3sumPfi", "cubeRoot", "current", "custom_sum"})
    EXPECT_FALSE(isOfCudaLibrary(Name)) << Name;
}

TEST(LinkHost, IdleFunctionsReturnZero) {
  const std::string Text = idleFunctions({"cuInit", "cublasSscal_v2"});
  EXPECT_NE(Text.find("int cuInit(void) { return 0; }\n"), std::string::npos);
  // A library's function may write to what it is given.
  EXPECT_NE(Text.find("int cublasSscal_v2(void *A0, void *A1,"),
            std::string::npos);
  EXPECT_NE(Text.find("gpuoccForget(A, 20); return 0; }"), std::string::npos);
}

} // namespace
