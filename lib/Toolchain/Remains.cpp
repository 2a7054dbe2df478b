//===- Remains.cpp - What no end of this process leaves behind ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remains.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static constexpr int EndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/// What the handler of signals reads.
static int SignalPipe[2] = {-1, -1};
static volatile sig_atomic_t OwnerOfPipe = 0;

/// The thread that holds the mutex of Remains; 0 where none does.
static volatile sig_atomic_t Holder = 0;

namespace {
/// Lets no ending signal reach this thread.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t Ending;
    sigemptyset(&Ending);
    for (int Signal : EndingSignals)
      sigaddset(&Ending, Signal);
    pthread_sigmask(SIG_BLOCK, &Ending, &Before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }

private:
  sigset_t Before;
};

/// Holds a mutex and names its holder. Signals are blocked for as long as the
/// two differ, and not while it is held: programs that start inherit the mask.
class NamedLock {
public:
  explicit NamedLock(std::mutex &Mutex) : Mutex(Mutex) {
    const BlockedSignals Blocked;
    Mutex.lock();
    Holder = sig_atomic_t(gettid());
  }
  ~NamedLock() {
    const BlockedSignals Blocked;
    Holder = 0;
    Mutex.unlock();
  }
  NamedLock(const NamedLock &) = delete;
  NamedLock &operator=(const NamedLock &) = delete;

private:
  std::mutex &Mutex;
};
} // namespace

static void endBy(int Signal) {
  std::signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Only, nullptr);
  kill(getpid(), Signal);
}

/// Hands \p Signal to the thread that cleans up. A forked child has no such
/// thread and owns nothing.
static void handOver(int Signal) {
  if (getpid() != pid_t(OwnerOfPipe))
    return endBy(Signal);
  const int Before = errno;
  (void)!write(SignalPipe[1], &Signal, sizeof(Signal));
  errno = Before;
  // Who wrote to the pipe that nobody reads would only complain of it. The
  // thread that cleans up waits for who holds the mutex.
  while (Signal == SIGPIPE && Holder != sig_atomic_t(gettid()))
    pause();
}

std::string gpuocc::temporaryRoot() {
  SmallString<128> Path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path);
  return Path.str().str();
}

void gpuocc::removeFolder(StringRef Path) {
  constexpr unsigned MostTries = 20;
  constexpr std::chrono::milliseconds Pause(10);
  for (unsigned Try = 0; Try != MostTries; ++Try) {
    (void)sys::fs::remove_directories(Path);
    if (!sys::fs::exists(Path))
      return;
    std::this_thread::sleep_for(Pause);
  }
}

bool gpuocc::endGently(pid_t Target, pid_t Child) {
  constexpr unsigned MostTries = 100;
  constexpr std::chrono::milliseconds Pause(10);
  kill(Target, SIGTERM);
  for (unsigned Try = 0; Try != MostTries; ++Try) {
    siginfo_t Info;
    Info.si_pid = 0;
    // Another thread may have waited for it.
    if (waitid(P_PID, id_t(Child), &Info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
        Info.si_pid == Child)
      return true;
    std::this_thread::sleep_for(Pause);
  }
  return false;
}

Remains &Remains::get() {
  // The thread may outlive static objects.
  static Remains *Only = new Remains;
  return *Only;
}

Expected<std::string>
Remains::addFolder(function_ref<Expected<std::string>()> Make) {
  const NamedLock Lock(Mutex);
  watch();
  Expected<std::string> Path = Make();
  if (Path)
    Folders.insert(*Path);
  return Path;
}

void Remains::dropFolder(StringRef Path) {
  const NamedLock Lock(Mutex);
  Folders.erase(Path.str());
}

Expected<pid_t> Remains::addProgram(bool LeadsGroup,
                                    function_ref<Expected<pid_t>()> Start) {
  const NamedLock Lock(Mutex);
  watch();
  Expected<pid_t> Program = Start();
  if (Program)
    Programs.insert(LeadsGroup ? -*Program : *Program);
  return Program;
}

void Remains::dropProgram(pid_t Program) {
  const NamedLock Lock(Mutex);
  Programs.erase(Program);
  Programs.erase(-Program);
}

void Remains::whole(function_ref<void()> Step) {
  const NamedLock Lock(Mutex);
  Step();
}

void Remains::watch() {
  if (OwnerOfPipe == sig_atomic_t(getpid()))
    return;
  Folders.clear();
  Programs.clear();
  if (pipe2(SignalPipe, O_CLOEXEC) != 0)
    return;
  OwnerOfPipe = sig_atomic_t(getpid());
  {
    // Signals are for the other threads: one that this thread would hand over
    // to itself, while another has it blocked, would be lost.
    const BlockedSignals Inherited;
    std::thread([this] { waitForSignal(); }).detach();
  }
  for (int Signal : EndingSignals) {
    struct sigaction Now;
    if (sigaction(Signal, nullptr, &Now) != 0 || Now.sa_handler == SIG_IGN)
      continue;
    Now = {};
    Now.sa_handler = handOver;
    Now.sa_flags = SA_RESTART;
    sigaction(Signal, &Now, nullptr);
  }
}

void Remains::endPrograms() {
  for (pid_t Target : Programs)
    kill(Target, SIGTERM);
  for (pid_t Target : Programs) {
    endGently(Target, std::abs(Target));
    kill(Target, SIGKILL);
  }
}

void Remains::waitForSignal() {
  int Signal = 0;
  sys::RetryAfterSignal(-1, read, SignalPipe[0], &Signal, sizeof(Signal));
  // Nobody makes another folder or starts another program.
  Mutex.lock();
  endPrograms();
  for (const std::string &Path : Folders)
    removeFolder(Path);
  sys::RunInterruptHandlers();
  endBy(Signal);
  while (true)
    pause();
}
