//===- OutputFileTest.cpp - Files that commands write ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A folder that is removed with the test.
class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("output%file", Top));
  }
  void TearDown() override { sys::fs::remove_directories(Top); }

  std::string path(StringRef Name) const {
    SmallString<128> Path(Top);
    sys::path::append(Path, Name);
    return std::string(Path);
  }
  static std::string contents(StringRef Path) {
    auto Buffer = MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  static std::string errorOf(Error E) { return toString(std::move(E)); }

  size_t numFiles() const {
    std::error_code EC;
    size_t Count = 0;
    for (sys::fs::directory_iterator I(Top, EC), End; I != End && !EC;
         I.increment(EC))
      ++Count;
    return Count;
  }

  SmallString<128> Top;
};

} // namespace

TEST_F(OutputFile, IsWrittenAndReplaced) {
  const std::string File = path("50%%%%.json");
  EXPECT_EQ(errorOf(writeOutput(File, "one")), "");
  EXPECT_EQ(contents(File), "one");
  EXPECT_EQ(errorOf(writeOutput(File, "2")), "");
  EXPECT_EQ(contents(File), "2");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(OutputFile, KeepsThePermissionsOfTheFile) {
  const std::string File = path("report");
  const mode_t Mask = umask(022);
  EXPECT_EQ(errorOf(writeOutput(File, "one")), "");
  struct stat Status;
  ASSERT_EQ(stat(File.c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0644u);
  ASSERT_EQ(chmod(File.c_str(), 0600), 0);
  EXPECT_EQ(errorOf(writeOutput(File, "two")), "");
  ASSERT_EQ(stat(File.c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0600u);
  umask(Mask);
}

TEST_F(OutputFile, FollowsSymbolicLinks) {
  ASSERT_FALSE(sys::fs::create_directory(path("below")));
  ASSERT_EQ(symlink("below/target", path("link").c_str()), 0);
  ASSERT_EQ(symlink("link", path("second").c_str()), 0);
  for (const char *Text : {"new", "again"}) {
    EXPECT_EQ(errorOf(writeOutput(path("second"), Text)), "");
    EXPECT_EQ(contents(path("below/target")), Text);
  }
  EXPECT_TRUE(sys::fs::is_symlink_file(path("link")));
  EXPECT_TRUE(sys::fs::is_symlink_file(path("second")));
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  EXPECT_NE(errorOf(checkOutput(path("loop"))).find("symbolic link"),
            std::string::npos);
}

TEST_F(OutputFile, SpecialFilesAreWrittenTo) {
  const std::string Fifo = path("fifo");
  ASSERT_EQ(mkfifo(Fifo.c_str(), 0600), 0);
  // A FIFO that is open both ways needs no second process.
  const int Reader = open(Fifo.c_str(), O_RDWR);
  ASSERT_GE(Reader, 0);
  ASSERT_EQ(symlink("fifo", path("link").c_str()), 0);
  EXPECT_EQ(errorOf(checkOutput(path("link"))), "");
  EXPECT_EQ(errorOf(writeOutput(path("link"), "text")), "");
  char Text[5] = {};
  EXPECT_EQ(read(Reader, Text, 4), 4);
  EXPECT_STREQ(Text, "text");
  close(Reader);
  EXPECT_EQ(errorOf(writeOutput("/dev/null", "text")), "");
  EXPECT_EQ(errorOf(writeOutput("/dev/full", "text")),
            "cannot write '/dev/full': No space left on device");
  struct stat Status;
  ASSERT_EQ(stat(Fifo.c_str(), &Status), 0);
  EXPECT_TRUE(S_ISFIFO(Status.st_mode));
}

TEST_F(OutputFile, DescriptorsGoOnWhereTheyAre) {
  const std::string File = path("file");
  const int Descriptor = open(File.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(write(Descriptor, "before ", 7), 7);
  const std::string Name = "/dev/fd/" + std::to_string(Descriptor);
  EXPECT_EQ(errorOf(writeOutput(Name, "text")), "");
  close(Descriptor);
  EXPECT_EQ(contents(File), "before text");
}

TEST_F(OutputFile, APipeThatNobodyReadsIsAnError) {
  int Pipe[2];
  ASSERT_EQ(pipe(Pipe), 0);
  close(Pipe[0]);
  const std::string Name = "/dev/fd/" + std::to_string(Pipe[1]);
  EXPECT_EQ(errorOf(writeOutput(Name, "text")),
            "cannot write '" + Name + "': Broken pipe");
  close(Pipe[1]);
}

TEST_F(OutputFile, AFullDiskLeavesTheOldFile) {
  const std::string File = path("file");
  EXPECT_EQ(errorOf(writeOutput(File, "old")), "");
  rlimit Before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &Before), 0);
  rlimit Small = Before;
  Small.rlim_cur = 100;
  auto *const Handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Small), 0);
  const std::string Message =
      errorOf(writeOutput(File, std::string(100000, 'x')));
  setrlimit(RLIMIT_FSIZE, &Before);
  std::signal(SIGXFSZ, Handler);
  EXPECT_EQ(Message, "cannot write '" + File + "': File too large");
  EXPECT_EQ(contents(File), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(OutputFile, AnErrorOfTheWriterLeavesTheOldFile) {
  const std::string File = path("file");
  EXPECT_EQ(errorOf(writeOutput(File, "old")), "");
  EXPECT_EQ(errorOf(writeOutput(File,
                                [](raw_ostream &OS) {
                                  OS << "half";
                                  return createStringError("no more");
                                })),
            "no more");
  EXPECT_EQ(contents(File), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(OutputFile, ASignalLeavesNoTemporaryFile) {
  const std::string File = path("file");
  EXPECT_EQ(errorOf(writeOutput(File, "old")), "");
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t Child = fork();
    if (Child == 0) {
      consumeError(writeOutput(File, [&](raw_ostream &OS) {
        OS << std::string(100000, 'x');
        OS.flush();
        raise(Signal);
        return Error::success();
      }));
      _exit(0);
    }
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == Signal);
    EXPECT_EQ(contents(File), "old");
    EXPECT_EQ(numFiles(), 1u);
  }
}

TEST_F(OutputFile, MistakesAreFoundBeforeTheWork) {
  EXPECT_EQ(errorOf(checkOutput(path("new"))), "");
  EXPECT_EQ(numFiles(), 0u);
  EXPECT_EQ(errorOf(checkOutput(Top)),
            "cannot write '" + std::string(Top) + "': it is a folder");
  EXPECT_EQ(errorOf(checkOutput(path("none/file"))),
            "cannot write '" + path("none/file") + "': there is no folder '" +
                path("none") + "'");
  EXPECT_EQ(errorOf(checkOutput("")), "the name of the output is empty");
  const std::string File = path("k.cu");
  EXPECT_EQ(errorOf(writeOutput(File, "source")), "");
  ASSERT_EQ(symlink("k.cu", path("link").c_str()), 0);
  EXPECT_EQ(errorOf(checkOutput(path("link"), {File})),
            "cannot write '" + path("link") + "': it is an input too");
  EXPECT_EQ(errorOf(checkOutput("-")), "");
  if (geteuid() == 0)
    return;
  ASSERT_EQ(chmod(File.c_str(), 0400), 0);
  EXPECT_EQ(errorOf(checkOutput(File)),
            "cannot write '" + File + "': Permission denied");
}
