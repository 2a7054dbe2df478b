//===- TemporaryFolder.cpp - Folders that go away -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static constexpr int EndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// What the handler of signals reads.
static int SignalPipe[2] = {-1, -1};
static volatile sig_atomic_t OwnerOfPipe = 0;

static void endBy(int Signal) {
  std::signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Only, nullptr);
  kill(getpid(), Signal);
}

/// Hands \p Signal to the thread that removes folders. A forked child has no
/// such thread and owns no folder.
static void handOver(int Signal) {
  if (getpid() != pid_t(OwnerOfPipe))
    return endBy(Signal);
  const int Before = errno;
  (void)!write(SignalPipe[1], &Signal, sizeof(Signal));
  errno = Before;
}

/// Removes \p Path, into which programs that end may still write.
static void removeFolder(StringRef Path) {
  constexpr unsigned MostTries = 20;
  constexpr std::chrono::milliseconds Pause(10);
  for (unsigned Try = 0; Try != MostTries; ++Try) {
    (void)sys::fs::remove_directories(Path);
    if (!sys::fs::exists(Path))
      return;
    std::this_thread::sleep_for(Pause);
  }
}

namespace {

/// The folders of this process, which signals that end it remove. Removing a
/// folder allocates memory, which a handler of signals must not: a thread that
/// waits for them does it.
class FoldersOfProcess {
public:
  /// One, as signals are of the process.
  static FoldersOfProcess &get() {
    // The thread may outlive static objects.
    static FoldersOfProcess *Folders = new FoldersOfProcess;
    return *Folders;
  }

  void add(StringRef Path) {
    const std::lock_guard<std::mutex> Lock(Mutex);
    if (OwnerOfPipe != sig_atomic_t(getpid()))
      watch();
    Paths.insert(Path.str());
  }

  void drop(StringRef Path) {
    const std::lock_guard<std::mutex> Lock(Mutex);
    Paths.erase(Path.str());
  }

private:
  void watch() {
    Paths.clear();
    if (pipe2(SignalPipe, O_CLOEXEC) != 0)
      return;
    OwnerOfPipe = sig_atomic_t(getpid());
    std::thread([this] { wait(); }).detach();
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

  [[noreturn]] void wait() {
    int Signal = 0;
    sys::RetryAfterSignal(-1, read, SignalPipe[0], &Signal, sizeof(Signal));
    // Nobody makes another folder.
    Mutex.lock();
    for (const std::string &Path : Paths)
      removeFolder(Path);
    sys::RunInterruptHandlers();
    endBy(Signal);
    while (true)
      pause();
  }

  std::mutex Mutex;
  std::set<std::string> Paths;
};

} // namespace

Expected<TemporaryFolder> TemporaryFolder::create(StringRef Prefix) {
  TemporaryFolder Folder;
  if (std::error_code EC = sys::fs::createUniqueDirectory(Prefix, Folder.Path))
    return createStringError(EC, "cannot create a temporary folder: %s",
                             EC.message().c_str());
  FoldersOfProcess::get().add(Folder.Path);
  return std::move(Folder);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&Other)
    : Path(std::move(Other.Path)) {
  Other.Path.clear();
}

TemporaryFolder::~TemporaryFolder() {
  if (Path.empty())
    return;
  (void)sys::fs::remove_directories(Path);
  FoldersOfProcess::get().drop(Path);
}
