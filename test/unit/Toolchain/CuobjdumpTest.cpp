//===- CuobjdumpTest.cpp - PTX in objects and programs --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Cuobjdump.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Cuobjdump, PtxStandsBetweenHeadings) {
  EXPECT_THAT(parsePtxDump("\nmember lib.a:a.o:\n\n"
                           "Fatbin elf code:\n================\narch = sm_90\n"
                           "\nFatbin ptx code:\n================\n"
                           "arch = sm_90\ncompressed\n\n"
                           ".version 9.0\n.target sm_90\n\n"
                           "member lib.a:b.o:\n\n"
                           "Fatbin ptx code:\n================\n"
                           "arch = sm_80\n\n.version 8.0\n.target sm_80"),
              ElementsAre(".version 9.0\n.target sm_90\n\n",
                          ".version 8.0\n.target sm_80\n"));
}

TEST(Cuobjdump, MachineCodeAloneIsNoPtx) {
  EXPECT_THAT(parsePtxDump("\nFatbin elf code:\n================\n"
                           "arch = sm_90\n"),
              IsEmpty());
}

TEST(Cuobjdump, AMissingProgramIsAnError) {
  Expected<std::vector<std::string>> Files =
      ptxInBinary("/no/such/cuobjdump", "a.o");
  ASSERT_FALSE(Files);
  consumeError(Files.takeError());
}
