//===- TemporaryFolderTest.cpp - Folders that go away ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static TemporaryFolder makeFolder() {
  return cantFail(TemporaryFolder::create("gpuocc-test"));
}

static void writeBelow(const TemporaryFolder &Folder) {
  const std::string Below = (Folder.path() + "/below").str();
  EXPECT_FALSE(sys::fs::create_directory(Below));
  std::error_code EC;
  raw_fd_ostream OS(Below + "/file", EC);
  OS << "text";
}

TEST(TemporaryFolder, GoesAwayWithItsOwner) {
  std::string Path;
  {
    const TemporaryFolder Folder = makeFolder();
    Path = Folder.path().str();
    writeBelow(Folder);
    EXPECT_TRUE(sys::fs::exists(Path));
  }
  EXPECT_FALSE(sys::fs::exists(Path));
}

TEST(TemporaryFolder, ASignalLeavesNone) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    int Pipe[2];
    ASSERT_EQ(pipe(Pipe), 0);
    const pid_t Child = fork();
    if (Child == 0) {
      const TemporaryFolder Folder = makeFolder();
      writeBelow(Folder);
      (void)!write(Pipe[1], Folder.path().data(), Folder.path().size());
      raise(Signal);
      while (true)
        pause();
    }
    close(Pipe[1]);
    char Path[512];
    const ssize_t Size = read(Pipe[0], Path, sizeof(Path));
    close(Pipe[0]);
    ASSERT_GT(Size, 0);
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == Signal);
    EXPECT_FALSE(sys::fs::exists(StringRef(Path, size_t(Size))));
  }
}

TEST(TemporaryFolder, ASignalOfAForkedChildIsNotOfItsParent) {
  const TemporaryFolder Folder = makeFolder();
  const pid_t Child = fork();
  if (Child == 0) {
    raise(SIGTERM);
    _exit(0);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGTERM);
  EXPECT_TRUE(sys::fs::exists(Folder.path()));
}
