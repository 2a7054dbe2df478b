//===- ProcessTest.cpp - Running other programs ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include "Remains.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuocc;

static ProcessResult shell(llvm::StringRef Script, unsigned LimitSeconds = 0) {
  ProcessOptions Options;
  Options.LimitSeconds = LimitSeconds;
  Options.Environment = {"GPUOCC_TEST=value"};
  llvm::Expected<ProcessResult> Run =
      runProcess("/bin/sh", {"-c", Script}, Options);
  if (Run)
    return *Run;
  ADD_FAILURE() << llvm::toString(Run.takeError());
  return ProcessResult();
}

TEST(RunProcess, VariablesReplaceThoseOfThisProcess) {
  setenv("GPUOCC_TEST", "of this process", /*overwrite=*/1);
  const ProcessResult Run = shell("env | grep -c ^GPUOCC_TEST; "
                                  "echo $GPUOCC_TEST");
  unsetenv("GPUOCC_TEST");
  EXPECT_EQ(Run.Output, "1\nvalue\n");
}

TEST(RunProcess, TakesOutputAndStatus) {
  const ProcessResult Run =
      shell("echo out $GPUOCC_TEST; echo err >&2; exit 3");
  EXPECT_EQ(Run.Status, 3);
  EXPECT_EQ(Run.Output, "out value\n");
  EXPECT_EQ(Run.ErrorOutput, "err\n");
  EXPECT_EQ(howItEnded(Run, 0), "ended with status 3");
}

TEST(RunProcess, HasNoInput) {
  EXPECT_EQ(shell("cat; echo end").Output, "end\n");
}

TEST(RunProcess, SaysWhichSignalEndedIt) {
  const ProcessResult Run = shell("echo before; kill -SEGV $$");
  EXPECT_LT(Run.Status, 0);
  EXPECT_EQ(Run.Signal, SIGSEGV);
  EXPECT_EQ(Run.Output, "before\n");
  EXPECT_EQ(howItEnded(Run, 60), "was ended by signal 11 (Segmentation fault)");
}

TEST(RunProcess, TheLimitEndsAllThatItStarted) {
  const ProcessResult Run = shell("(sleep 60; echo late)& sleep 60", 1);
  EXPECT_TRUE(Run.TimedOut);
  EXPECT_EQ(Run.Signal, 0);
  EXPECT_EQ(Run.Output, "");
  EXPECT_EQ(howItEnded(Run, 1), "was stopped at the limit of 1 second");
}

TEST(RunProcess, WhatIsNoProgramIsAnError) {
  llvm::Expected<ProcessResult> Run = runProcess("/no/such/program", {});
  ASSERT_FALSE(bool(Run));
  EXPECT_EQ(llvm::toString(Run.takeError()),
            "cannot run '/no/such/program': No such file or directory");
}

TEST(RunProcess, TheLimitLetsAProgramCleanUp) {
  const ProcessResult Run =
      shell("trap 'echo cleaned; exit' TERM; sleep 60 & wait", 1);
  EXPECT_TRUE(Run.TimedOut);
  EXPECT_EQ(Run.Output, "cleaned\n");
}

TEST(RunProcess, ProgramsHaveAFolderForTemporaryFiles) {
  const ProcessResult Run =
      shell("touch \"$TMPDIR/file\" && ls \"$TMPDIR\"; echo \"$TMPDIR\"");
  const auto [Listed, Folder] = llvm::StringRef(Run.Output).split('\n');
  EXPECT_EQ(Listed, "file");
  EXPECT_TRUE(llvm::sys::path::is_absolute(Folder.rtrim()));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.rtrim()));
}

/// Threads of \p Process, beside its first, that SIGPIPE may reach.
static unsigned threadsThatSignalsReach(pid_t Process) {
  unsigned Count = 0;
  std::error_code EC;
  const std::string Tasks = "/proc/" + std::to_string(Process) + "/task";
  for (llvm::sys::fs::directory_iterator I(Tasks, EC), End; I != End && !EC;
       I.increment(EC)) {
    if (llvm::sys::path::filename(I->path()) == std::to_string(Process))
      continue;
    auto Status = llvm::MemoryBuffer::getFileAsStream(I->path() + "/status");
    if (!Status)
      continue;
    uint64_t Blocked = 0;
    const auto [Before, Mask] = (*Status)->getBuffer().split("SigBlk:");
    (void)Mask.split('\n').first.trim().getAsInteger(16, Blocked);
    Count += (Blocked >> (SIGPIPE - 1) & 1) == 0;
  }
  return Count;
}

TEST(RunProcess, ASignalEndsWhatProgramsStarted) {
  for (int Signal : {SIGTERM, SIGPIPE}) {
    int Pipe[2];
    ASSERT_EQ(pipe(Pipe), 0);
    const pid_t Child = fork();
    if (Child == 0) {
      // The program's child goes on where only the program is ended.
      const std::string Script = "(echo $$ $TMPDIR >/dev/fd/" +
                                 std::to_string(Pipe[1]) +
                                 "; exec sleep 60)& trap '' TERM; sleep 60";
      (void)!bool(runProcess("/bin/sh", {"-c", Script}));
      _exit(0);
    }
    close(Pipe[1]);
    char Said[512];
    const ssize_t Size = read(Pipe[0], Said, sizeof(Said));
    ASSERT_GT(Size, 0);
    const auto [Number, Folder] =
        llvm::StringRef(Said, size_t(Size)).rtrim().split(' ');
    pid_t Group = 0;
    ASSERT_FALSE(Number.getAsInteger(10, Group));
    // The thread that cleans up would wait for itself.
    EXPECT_EQ(threadsThatSignalsReach(Child), 0u);
    kill(Child, Signal);
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == Signal);
    EXPECT_FALSE(llvm::sys::fs::exists(Folder));
    // The end of the pipe is that of all that have it.
    EXPECT_EQ(read(Pipe[0], Said, sizeof(Said)), 0);
    close(Pipe[0]);
  }
}

TEST(RunProcess, ASignalWhileAProgramStartsEndsThisOne) {
  const pid_t Child = fork();
  if (Child == 0) {
    constexpr unsigned MostSeconds = 20;
    alarm(MostSeconds);
    auto Start = []() -> llvm::Expected<pid_t> {
      raise(SIGPIPE);
      return llvm::createStringError("no program");
    };
    llvm::consumeError(
        Remains::get().addProgram(/*LeadsGroup=*/false, Start).takeError());
    while (true)
      pause();
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGPIPE);
}

TEST(RunProcess, AnyFolderServesForTemporaryFiles) {
  const TemporaryFolder Around =
      cantFail(TemporaryFolder::create("gpuocc-test"));
  for (const char *Name :
       {"a b", "a'b", "a\"b", "a$(touch x)", "a%b", "a\\b"}) {
    const std::string Root = (Around.path() + "/" + Name).str();
    ASSERT_FALSE(llvm::sys::fs::create_directory(Root));
    setenv("TMPDIR", Root.c_str(), /*overwrite=*/1);
    EXPECT_EQ(shell("echo out").Output, "out\n") << Root;
    llvm::Expected<TemporaryFile> File = TemporaryFile::create("p", "s");
    unsetenv("TMPDIR");
    ASSERT_TRUE(bool(File)) << llvm::toString(File.takeError());
    EXPECT_TRUE(llvm::StringRef(File->path()).starts_with(Root));
  }
}
