//===- GuardedProgramTest.cpp - Programs that do too much -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/GuardedProgram.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

class GuardedPrograms : public testing::Test {
protected:
  void SetUp() override {
    Expected<TemporaryFolder> New = TemporaryFolder::create("guarded");
    ASSERT_TRUE(bool(New)) << toString(New.takeError());
    Folder.emplace(std::move(*New));
    Program.Path = "/bin/sh";
    Program.Environment = {"OWN=" + Folder->path().str()};
    Program.Writable = {Folder->path().str()};
    Program.Limits.Seconds = 20;
  }

  /// How the shell program \p Script ends.
  GuardedEnd run(StringRef Script) {
    Program.Arguments = {"-c", Script.str()};
    Expected<GuardedEnd> End = runGuarded(Program);
    if (End)
      return std::move(*End);
    ADD_FAILURE() << toString(End.takeError());
    return GuardedEnd();
  }

  std::string howRunEnds(StringRef Script) {
    return howItEnded(run(Script), Program.Limits);
  }

  /// What the program wrote to \p Name in its folder.
  std::string written(StringRef Name) {
    auto Buffer = MemoryBuffer::getFile(Folder->path() + "/" + Name);
    return Buffer ? (*Buffer)->getBuffer().str() : "";
  }

  /// Whether the process whose number is in the file \p Name is gone.
  bool hasEnded(StringRef Name) {
    pid_t Id = 0;
    if (StringRef(written(Name)).trim().getAsInteger(10, Id)) {
      ADD_FAILURE() << "no process wrote " << Name.str();
      return false;
    }
    // Whom it is given to, where we may not wait for it, takes its end.
    for (unsigned Try = 0; Try != 100; ++Try) {
      if (kill(Id, 0) != 0 && errno == ESRCH)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  std::optional<TemporaryFolder> Folder;
  GuardedProgram Program;
};

} // namespace

TEST_F(GuardedPrograms, EndAsTheyEnd) {
  EXPECT_EQ(howRunEnds("exit 0"), "ended with status 0");
  EXPECT_EQ(howRunEnds("exit 3"), "ended with status 3");
  EXPECT_EQ(howRunEnds("kill -SEGV $$"),
            "was ended by signal 11 (Segmentation fault)");
  Program.Path = "/no/such/program";
  EXPECT_EQ(toString(runGuarded(Program).takeError()),
            "cannot run '/no/such/program': No such file or directory");
}

TEST_F(GuardedPrograms, HaveNoInputAndAKeptError) {
  EXPECT_EQ(run("cat; echo out; echo error >&2").Said, "error\n");
}

TEST_F(GuardedPrograms, MayPrintWithoutEnd) {
  Program.Limits.KeptBytes = 1000;
  Program.Limits.Seconds = 1;
  const GuardedEnd End = run("yes & yes >&2");
  EXPECT_EQ(End.Said.size(), 1000u);
  EXPECT_EQ(howItEnded(End, Program.Limits),
            "was stopped at the limit of 1 second (--timeout)");
}

TEST_F(GuardedPrograms, LeaveNoProcess) {
  const GuardedEnd End =
      run("(sleep 100 & echo $! > $OWN/plain)\n"
          "setsid sh -c 'echo $$ > $OWN/session; exec sleep 100' &\n"
          "setsid sh -c 'setsid sh -c \"echo \\$\\$ > $OWN/deep; trap : TERM "
          "INT HUP; sleep 100; sleep 100\" & exit' &\n"
          "while ! [ -s $OWN/plain -a -s $OWN/session -a -s $OWN/deep ]; do "
          "sleep 0.01; done");
  EXPECT_EQ(End.Status, 0);
  EXPECT_GE(End.LeftBehind, 3u);
  EXPECT_TRUE(hasEnded("plain"));
  EXPECT_TRUE(hasEnded("session"));
  EXPECT_TRUE(hasEnded("deep"));
}

TEST_F(GuardedPrograms, LeaveNoProcessWhenStopped) {
  Program.Limits.Seconds = 1;
  EXPECT_EQ(howRunEnds("setsid sh -c 'echo $$ > $OWN/session; exec sleep 100' &"
                       "sleep 100"),
            "was stopped at the limit of 1 second (--timeout)");
  EXPECT_TRUE(hasEnded("session"));
}

TEST_F(GuardedPrograms, UseNoMoreMemoryThanTheyMay) {
  Program.Limits.MemoryBytes = uint64_t(100) << 20;
  // tail keeps what has no end of line.
  EXPECT_EQ(howRunEnds("head -c 2000000000 /dev/zero | tail"),
            "was stopped: it used more than 100 MiB of memory "
            "(--memory-limit)");
  EXPECT_EQ(howRunEnds("head -c 1000000 /dev/zero | tail"),
            "ended with status 0");
}

TEST_F(GuardedPrograms, HaveNoMoreProcessesThanTheyMay) {
  Program.Limits.Processes = 10;
  EXPECT_EQ(howRunEnds("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; "
                       "do sleep 100 & done; wait"),
            "was stopped: it had more than 10 processes at the same time "
            "(--process-limit)");
}

TEST_F(GuardedPrograms, WriteNoLargerFilesThanTheyMay) {
  Program.Limits.FileBytes = uint64_t(1) << 20;
  EXPECT_EQ(howRunEnds("exec head -c 5000000 /dev/zero > $OWN/large"),
            "was ended: it wrote a file of more than 1 MiB (--file-limit)");
  EXPECT_EQ(written("large").size(), size_t(1) << 20);
}

TEST_F(GuardedPrograms, WriteWhereTheyMayOnly) {
  Expected<TemporaryFolder> Other = TemporaryFolder::create("other");
  ASSERT_TRUE(bool(Other));
  const std::string Precious = (Other->path() + "/precious").str();
  {
    std::error_code Problem;
    raw_fd_ostream(Precious, Problem) << "precious";
  }
  Program.Environment.push_back("OTHER=" + Other->path().str());
  const GuardedEnd End =
      run("echo own > $OWN/file; mkdir $OWN/sub; mv $OWN/file $OWN/sub/file\n"
          "echo x > /dev/null || exit 1\n"
          "echo gone > $OTHER/precious; rm -f $OTHER/precious\n"
          "echo new > $OTHER/new; mkdir $OTHER/sub; ln -s x $OTHER/link\n"
          "mv $OWN/sub/file $OTHER/moved; cat $OTHER/precious > $OWN/copy\n"
          "setsid sh -c 'echo late > $OTHER/late'; exit 0");
  EXPECT_EQ(End.Status, 0);
  EXPECT_EQ(written("sub/file"), "own\n");
  if (!End.IsFenced)
    GTEST_SKIP() << "the kernel has no Landlock";
  EXPECT_EQ(written("copy"), "precious");
  std::error_code Problem;
  std::vector<std::string> Names;
  for (sys::fs::directory_iterator It(Other->path(), Problem), End;
       It != End && !Problem; It.increment(Problem))
    Names.push_back(It->path());
  EXPECT_THAT(Names, testing::ElementsAre(Precious));
}

TEST_F(GuardedPrograms, MayWriteASingleFile) {
  const std::string File = (Folder->path() + "/file").str();
  std::error_code Problem;
  raw_fd_ostream(File, Problem).close();
  Program.Writable = {File};
  const GuardedEnd End = run("echo yes > $OWN/file; echo no > $OWN/other");
  EXPECT_EQ(written("file"), "yes\n");
  if (End.IsFenced) {
    EXPECT_EQ(written("other"), "");
  }
  Program.Writable = {"/no/such/folder"};
  EXPECT_THAT(toString(runGuarded(Program).takeError()),
              HasSubstr("'/no/such/folder'"));
}
