//===- Apart.cpp - Work in a process of its own ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Apart.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static bool writeAll(int Descriptor, StringRef Text) {
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  OS << Text;
  OS.flush();
  bool Failed = OS.has_error();
  OS.clear_error();
  return !Failed;
}

static std::string readAll(int Descriptor) {
  std::string Text;
  char Buffer[1 << 16];
  while (true) {
    ssize_t Count = read(Descriptor, Buffer, sizeof(Buffer));
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return Text;
    Text.append(Buffer, size_t(Count));
  }
}

Expected<std::string> gpuocc::runApart(function_ref<std::string()> Work) {
  int Pipe[2];
  if (pipe(Pipe) != 0)
    return createStringError("no pipe to a process of its own");
  pid_t Child = fork();
  if (Child < 0) {
    close(Pipe[0]);
    close(Pipe[1]);
    return createStringError("no process of its own");
  }
  if (Child == 0) {
    close(Pipe[0]);
    // No exit handlers and no buffers of the parent run at this exit.
    _exit(writeAll(Pipe[1], Work()) ? 0 : 1);
  }
  close(Pipe[1]);
  std::string Text = readAll(Pipe[0]);
  close(Pipe[0]);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return createStringError("the process of its own was lost");
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return createStringError("the process of its own ended early");
  return Text;
}
