//===- LockFileTest.cpp - The text of lock files --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/LockFile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

LockedKernel kernel(std::string Name, uint64_t Registers) {
  LockedKernel K;
  K.Name = std::move(Name);
  K.Architecture = "sm_90";
  K.Registers = Registers;
  K.SpillBytes = 0;
  K.StackBytes = 16;
  K.SharedBytes = 4224;
  return K;
}

LockedLaunch launch(double TimeNs) {
  LockedLaunch L;
  L.Text = "32x32 x 32x8 + 0 B";
  L.Device = "nvidia-h200";
  L.BlocksPerSm = 8;
  L.TimeNs = TimeNs;
  L.Limiter = "dram";
  L.NeededWarps = 30;
  L.WarpsPerSm = 64;
  return L;
}

LockFile sample() {
  LockFile Lock;
  Lock.Tool = "gpu-occupancy 1.2.3";
  Lock.Compilers = {"nvcc 13.0"};
  Lock.Devices = {"nvidia-h200"};
  Lock.Kernels = {kernel("b(float*)", 32), kernel("a(int)", 40)};
  Lock.Kernels[0].Launches = {launch(4061.234)};
  Lock.Kernels[1].Blocks = LockedBlocks{5, 256};
  cantFail(normalize(Lock));
  return Lock;
}

std::string problemOf(StringRef Text) {
  Expected<LockFile> Lock = parseLock(Text, "x.lock");
  return Lock ? "" : toString(Lock.takeError());
}

std::string replaced(std::string Text, StringRef Old, StringRef New) {
  const size_t At = Text.find(Old);
  EXPECT_NE(At, std::string::npos);
  return Text.replace(At, Old.size(), New.str());
}

} // namespace

TEST(LockFile, IsSortedAndHasOneValueALine) {
  EXPECT_THAT(
      lockText(sample()),
      testing::MatchesRegex(
          "# What each kernel takes. Written by 'gpu-occupancy lock'; do not "
          "edit.\nversion 1\ntool gpu-occupancy 1.2.3\ncompiler nvcc 13.0\n"
          "device nvidia-h200\n\n"
          "kernel a\\(int\\)\n  arch sm_90\n  registers 40\n  spills 0\n  "
          "stack "
          "16\n  shared 4224\n  blocks 5 of 256 threads\n  sum [0-9a-f]+\n\n"
          "kernel b\\(float\\*\\)\n  arch sm_90\n  registers 32\n  spills 0\n  "
          "stack 16\n  shared 4224\n  launch 32x32 x 32x8 \\+ 0 B on "
          "nvidia-h200\n    blocks 8\n    time 4.06 us\n    limiter dram\n    "
          "warps 30 needed of 64\n  sum [0-9a-f]+\n"));
}

TEST(LockFile, ComesBackFromItsText) {
  LockFile Lock = sample();
  Lock.Kernels[0].IsEstimate = true;
  Lock.Kernels[0].SpillBytes = std::nullopt;
  Lock.Kernels[1].Launches[0].DataDecides = true;
  LockedLaunch Refused;
  Refused.Text = "8 x 2048 + 0 B";
  Refused.Device = "nvidia-h200";
  Refused.CannotRun = true;
  Lock.Kernels[1].Launches.push_back(Refused);
  // Rounded times take another unit.
  Lock.Kernels[1].Launches.push_back(launch(999'999));
  cantFail(normalize(Lock));
  const std::string Text = lockText(Lock);
  LockFile Read = cantFail(parseLock(Text, "x.lock"));
  EXPECT_EQ(Read.Tool, Lock.Tool);
  EXPECT_EQ(Read.Compilers, Lock.Compilers);
  EXPECT_EQ(Read.Devices, Lock.Devices);
  EXPECT_EQ(Read.Kernels, Lock.Kernels);
  EXPECT_EQ(lockText(Read), Text);
}

TEST(LockFile, BranchesThatChangeOtherKernelsMerge) {
  LockFile Mine = sample(), Yours = sample(), Both = sample();
  Mine.Kernels[0].Registers = Both.Kernels[0].Registers = 41;
  Yours.Kernels[1].Registers = Both.Kernels[1].Registers = 33;
  const std::string Base = lockText(sample()), A = lockText(Mine),
                    B = lockText(Yours);
  const size_t Block = Base.find("\nkernel b");
  EXPECT_EQ(A.substr(0, A.find("\nkernel b")) + B.substr(B.find("\nkernel b")),
            lockText(Both));
  EXPECT_EQ(A.substr(A.find("\nkernel b")), Base.substr(Block));
}

TEST(LockFile, MistakesHaveOneLine) {
  const std::string Text = lockText(sample());
  EXPECT_EQ(problemOf(Text), "");
  EXPECT_EQ(
      problemOf(""),
      "'x.lock' is no lock file: expected what 'gpu-occupancy lock' writes");
  EXPECT_EQ(
      problemOf("{}"),
      "'x.lock' is no lock file: expected what 'gpu-occupancy lock' writes");
  EXPECT_EQ(problemOf(replaced(Text, "version 1", "version 2")),
            "x.lock:2: version 2 is newer than this gpu-occupancy, which reads "
            "version 1");
  EXPECT_EQ(problemOf(replaced(Text, "registers 40", "registers 39")),
            "x.lock:7: the lines of 'a(int)' do not have the sum that stands "
            "below them: they were edited by hand; 'gpu-occupancy lock' writes "
            "the file anew");
  EXPECT_EQ(problemOf(replaced(Text, "registers 40", "registres 40")),
            "x.lock:9: 'registres 40' is no line of a kernel; 'gpu-occupancy "
            "lock' writes the file anew");
  EXPECT_THAT(
      problemOf(replaced(Text, "  registers 40\n",
                         "<<<<<<< HEAD\n  registers 40\n=======\n  "
                         "registers 41\n>>>>>>> other\n")),
      testing::StartsWith("x.lock:9: marks of a merge that was not resolved"));
  EXPECT_THAT(problemOf(StringRef(Text).drop_back(20).str()),
              testing::Not(testing::IsEmpty()));
}

TEST(LockFile, DamagedTextsAreReadWithoutHarm) {
  const std::string Text = lockText(sample());
  for (size_t Length = 0; Length != Text.size(); ++Length)
    if (Text[Length] != '\n')
      EXPECT_EQ(problemOf(StringRef(Text).take_front(Length)).find('\n'),
                std::string::npos);
  for (size_t At = 0; At != Text.size(); ++At) {
    std::string Damaged = Text;
    Damaged[At] = '9';
    EXPECT_EQ(problemOf(Damaged).find('\n'), std::string::npos);
  }
}

TEST(LockFile, ManyKernelsOfOneNameAreRefused) {
  LockFile Lock;
  for (unsigned I = 0; I != 64; ++I)
    Lock.Kernels.push_back(kernel("each", I));
  EXPECT_FALSE(bool(normalize(Lock)));
  EXPECT_EQ(Lock.Kernels.size(), 64u);
  // What is the same is one kernel.
  Lock.Kernels.push_back(kernel("each", 7));
  EXPECT_FALSE(bool(normalize(Lock)));
  EXPECT_EQ(Lock.Kernels.size(), 64u);
  Lock.Kernels.push_back(kernel("each", 64));
  EXPECT_THAT(toString(normalize(Lock)),
              HasSubstr("more than 64 kernels are called 'each'"));
}
