//===- CudaToolkitTest.cpp - Finding a CUDA toolkit -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/CudaToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <fstream>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A folder tree that is removed with the test.
class CudaToolkitTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("cuda-toolkit", Top));
  }
  void TearDown() override { sys::fs::remove_directories(Top); }

  std::string path(StringRef Relative) {
    SmallString<128> Path(Top);
    sys::path::append(Path, Relative);
    return std::string(Path);
  }
  void addFile(StringRef Relative, bool Executable = false) {
    std::string File = path(Relative);
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(File)));
    std::ofstream(File) << "\n";
    if (Executable)
      ASSERT_FALSE(sys::fs::setPermissions(File, sys::fs::all_all));
  }
  void addHeaders(StringRef Root) {
    addFile((Root + "/include/cuda_runtime.h").str());
    addFile((Root + "/nvvm/libdevice/libdevice.10.bc").str());
  }

  SmallString<128> Top;
};

TEST_F(CudaToolkitTest, NothingIsFoundWhereNothingIs) {
  CudaToolkit Found = findCudaToolkit({{path("none")}, {path("none/bin")}});
  EXPECT_FALSE(Found.hasHeaders());
  EXPECT_FALSE(Found.hasPtxas());
}

TEST_F(CudaToolkitTest, TheFirstRootThatIsOneCounts) {
  addFile("broken/include/cuda.h");
  addHeaders("good");
  addFile("good/bin/ptxas", /*Executable=*/true);
  addHeaders("later");
  CudaToolkit Found =
      findCudaToolkit({{path("broken"), path("good"), path("later")}, {}});
  EXPECT_EQ(Found.Root, path("good"));
  EXPECT_EQ(Found.Ptxas, path("good/bin/ptxas"));
}

TEST_F(CudaToolkitTest, AnAssemblerAloneIsNoToolkit) {
  addFile("bin/ptxas", /*Executable=*/true);
  CudaToolkit Found = findCudaToolkit({{path("none")}, {path("bin")}});
  EXPECT_FALSE(Found.hasHeaders());
  EXPECT_EQ(Found.Ptxas, path("bin/ptxas"));
}

TEST_F(CudaToolkitTest, AnAssemblerBringsTheToolkitAroundIt) {
  addHeaders("toolkit");
  addFile("toolkit/bin/ptxas", /*Executable=*/true);
  CudaToolkit Found = findCudaToolkit({{}, {path("toolkit/bin")}});
  EXPECT_EQ(Found.Root, path("toolkit"));
}

TEST_F(CudaToolkitTest, HeadersWithoutAnAssemblerTakeTheOneInPath) {
  addHeaders("toolkit");
  addFile("bin/ptxas", /*Executable=*/true);
  CudaToolkit Found = findCudaToolkit({{path("toolkit")}, {path("bin")}});
  EXPECT_EQ(Found.Root, path("toolkit"));
  EXPECT_EQ(Found.Ptxas, path("bin/ptxas"));
}

TEST_F(CudaToolkitTest, OtherProgramsOfTheToolkitComeBeforeThoseInPath) {
  addHeaders("toolkit");
  for (StringRef Program : {"toolkit/bin/nvcc", "bin/nvcc", "bin/cuobjdump"})
    addFile(Program, /*Executable=*/true);
  CudaToolkit Found = findCudaToolkit({{path("toolkit")}, {path("bin")}});
  EXPECT_EQ(Found.Nvcc, path("toolkit/bin/nvcc"));
  EXPECT_EQ(Found.Cuobjdump, path("bin/cuobjdump"));
}

TEST_F(CudaToolkitTest, AFileThatCannotRunIsNoAssembler) {
  addFile("bin/ptxas");
  EXPECT_FALSE(findCudaToolkit({{}, {path("bin")}}).hasPtxas());
}

} // namespace
