//===- RunInSubprocess.cpp - Work in a process of its own -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/RunInSubprocess.h"
#include "gpuocc/Support/ThreadBeside.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

/// The exit status of a copy whose answer is why there is none.
static constexpr int GaveUp = 77;

static bool writeAll(int Descriptor, function_ref<void(raw_ostream &)> Work) {
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  Work(OS);
  OS.flush();
  bool Failed = OS.has_error();
  OS.clear_error();
  return !Failed;
}

/// Stands between what was written of an answer and why there is no more.
static constexpr char Instead = '\0';

/// What LLVM calls where it cannot go on; \p Reason ends the answer.
static void giveUp(void *Descriptor, const char *Reason, bool) {
  const std::string Text =
      Instead + StringRef(Reason).split('\n').first.rtrim().str();
  StringRef Rest = Text;
  while (!Rest.empty()) {
    ssize_t Count =
        write(*static_cast<const int *>(Descriptor), Rest.data(), Rest.size());
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      break;
    Rest = Rest.drop_front(size_t(Count));
  }
  _exit(GaveUp);
}

/// The copy's whole life. The handlers of signals and fatal errors that it has
/// are its parent's: they would print a report, remove the files that the
/// parent is writing, or go on as the parent.
[[noreturn]] static void live(int Descriptor, pid_t Parent,
                              function_ref<void(raw_ostream &)> Work) {
  // Nobody reads the answer then.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(1);
  for (int Signal :
       {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGPIPE, SIGQUIT,
        SIGSEGV, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ})
    signal(Signal, SIG_DFL);
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  remove_fatal_error_handler();
  install_fatal_error_handler(giveUp, &Descriptor);
  remove_bad_alloc_error_handler();
  install_bad_alloc_error_handler(giveUp, &Descriptor);
  // No exit handlers and no buffers of the parent run at this exit.
  _exit(writeAll(Descriptor, Work) ? 0 : 1);
}

/// Why a process that ended with \p Status gave no answer but \p Text.
static Error whyEnded(int Status, StringRef Text) {
  if (WIFSIGNALED(Status))
    return createStringError("the process of its own was ended by signal " +
                             Twine(WTERMSIG(Status)) + " (" +
                             strsignal(WTERMSIG(Status)) + ")");
  if (WEXITSTATUS(Status) == GaveUp)
    return createStringError(Text.rsplit(Instead).second);
  return createStringError("the process of its own ended early");
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

Expected<std::string>
gpuocc::runInSubprocess(function_ref<void(raw_ostream &)> Work) {
  int Pipe[2];
  // A program that another thread starts meanwhile must not hold it open.
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return createStringError("no pipe to a process of its own");
  const pid_t Parent = getpid();
  std::optional<CopyLock> Lock(std::in_place);
  const pid_t Child = fork();
  if (Child != 0)
    Lock.reset();
  if (Child < 0) {
    close(Pipe[0]);
    close(Pipe[1]);
    return createStringError("no process of its own");
  }
  if (Child == 0) {
    CopyLock::renew();
    close(Pipe[0]);
    live(Pipe[1], Parent, Work);
  }
  close(Pipe[1]);
  std::string Text = readAll(Pipe[0]);
  close(Pipe[0]);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return createStringError("the process of its own was lost");
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return whyEnded(Status, Text);
  return Text;
}
