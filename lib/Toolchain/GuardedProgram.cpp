//===- GuardedProgram.cpp - Running a program that is not ours ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of this process, the guard, starts the program and outlives it. What
// loses its parent becomes the guard's child (PR_SET_CHILD_SUBREAPER), whatever
// session it is in, so that the guard finds and ends it.
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/GuardedProgram.h"
#include "ProcessTree.h"
#include "gpuocc/Support/Plural.h"
#include "gpuocc/Toolchain/Sandbox.h"
#include "gpuocc/Toolchain/WriteFence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <type_traits>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;
using Clock = std::chrono::steady_clock;

/// How often the guard looks at what processes use.
static constexpr std::chrono::milliseconds LookEvery(50);

uint64_t gpuocc::halfOfMemoryBytes() {
  const long Pages = sysconf(_SC_PHYS_PAGES), Bytes = sysconf(_SC_PAGESIZE);
  return Pages > 0 && Bytes > 0 ? uint64_t(Pages) * uint64_t(Bytes) / 2 : 0;
}

namespace {

/// Words as execve() takes them.
class WordList {
public:
  explicit WordList(std::vector<std::string> Given) : Words(std::move(Given)) {
    for (std::string &Word : Words)
      Pointers.push_back(Word.data());
    Pointers.push_back(nullptr);
  }
  char *const *get() const { return Pointers.data(); }

private:
  std::vector<std::string> Words;
  std::vector<char *> Pointers;
};

/// Both ends of a pipe that no program inherits.
struct Pipe {
  int Read = -1, Write = -1;
  Pipe() = default;
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  bool open() {
    int Ends[2];
    if (pipe2(Ends, O_CLOEXEC) != 0)
      return false;
    Read = Ends[0];
    Write = Ends[1];
    return true;
  }
  void closeRead() { closeEnd(Read); }
  void closeWrite() { closeEnd(Write); }

private:
  static void closeEnd(int &End) {
    if (End >= 0)
      close(End);
    End = -1;
  }
};

/// What the guard answers first; behind it comes what the program said.
struct Answer {
  int StartProblem = 0;
  int Status = 0, Signal = 0;
  GuardedEnd::Reason Why = GuardedEnd::Reason::Itself;
  unsigned LeftBehind = 0;
};
static_assert(std::is_trivially_copyable_v<Answer>);

/// Variables of this process with those of \p Given in the place of their
/// namesakes.
std::vector<std::string> environmentWith(ArrayRef<std::string> Given) {
  auto NameOf = [](StringRef Variable) { return Variable.split('=').first; };
  std::vector<std::string> All(Given.begin(), Given.end());
  for (char **Variable = environ; *Variable; ++Variable)
    if (none_of(Given, [&](StringRef Other) {
          return NameOf(Other) == NameOf(*Variable);
        }))
      All.push_back(*Variable);
  return All;
}

/// The copy of this process that the program is a child of.
class Guard {
public:
  Guard(const GuardedProgram &Program, const WriteFence &Fence)
      : Program(Program), Fence(Fence), Words(wordsOf(Program)),
        Variables(environmentWith(Program.Environment)) {}

  /// Runs the program in a copy of this process, which writes an answer to
  /// \p To and ends.
  [[noreturn]] void live(int To, pid_t Parent);

private:
  static std::vector<std::string> wordsOf(const GuardedProgram &Program) {
    std::vector<std::string> Words;
    if (!Program.Bubblewrap.empty())
      Words = sandboxWords(Program.Bubblewrap, Program.Writable);
    Words.push_back(Program.Path);
    append_range(Words, Program.Arguments);
    return Words;
  }

  [[noreturn]] void becomeProgram(int Errors, int Problem) const;
  bool start();
  /// Takes the ends of children. True when the program's is among them.
  bool hasEnded();
  /// Whether more is used than may be.
  std::optional<GuardedEnd::Reason> whyStop() const;
  void takeWhatIsSaid();
  void waitUntilEnd();
  static void endAll();

  const GuardedProgram &Program;
  const WriteFence &Fence;
  const WordList Words, Variables;
  Pipe Said;
  pid_t Child = -1;
  Answer Out;
  std::string Kept;
};

} // namespace

/// Set where the guard is told to end.
static volatile sig_atomic_t IsToEnd = 0;

static void noteEnd(int) { IsToEnd = 1; }

static void limit(int Resource, uint64_t Most) {
  const rlimit Limit = {Most, Most};
  setrlimit(__rlimit_resource_t(Resource), &Limit);
}

void Guard::becomeProgram(int Errors, int Problem) const {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int Signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGXFSZ})
    signal(Signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (Program.Limits.FileBytes != 0)
    limit(RLIMIT_FSIZE, Program.Limits.FileBytes);
  const int Nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const bool IsConnected =
      Nothing >= 0 && dup2(Nothing, STDIN_FILENO) >= 0 &&
      (Program.ShowsOutput ||
       (dup2(Nothing, STDOUT_FILENO) >= 0 && dup2(Errors, STDERR_FILENO) >= 0));
  // A fence would keep bubblewrap from mounting; its sandbox is one.
  const bool NeedsFence = Program.Bubblewrap.empty() && Fence.isThere();
  if (IsConnected && (!NeedsFence || Fence.enter()))
    execve(*Words.get(), Words.get(), Variables.get());
  const int Number = errno;
  (void)!write(Problem, &Number, sizeof(Number));
  _exit(127);
}

bool Guard::start() {
  Pipe Problem;
  if (!Said.open() || !Problem.open()) {
    Out.StartProblem = errno;
    return false;
  }
  Child = fork();
  if (Child == 0)
    becomeProgram(Said.Write, Problem.Write);
  if (Child < 0) {
    Out.StartProblem = errno;
    return false;
  }
  Said.closeWrite();
  Problem.closeWrite();
  fcntl(Said.Read, F_SETFL, O_NONBLOCK);
  int Number = 0;
  if (sys::RetryAfterSignal(-1, read, Problem.Read, &Number, sizeof(Number)) ==
      sizeof(Number))
    Out.StartProblem = Number;
  return Out.StartProblem == 0;
}

bool Guard::hasEnded() {
  int Status = 0;
  while (true) {
    const pid_t Id = waitpid(-1, &Status, WNOHANG);
    if (Id <= 0)
      return false;
    if (Id != Child)
      continue;
    if (WIFEXITED(Status)) {
      Out.Status = WEXITSTATUS(Status);
    } else {
      Out.Status = -1;
      Out.Signal = WTERMSIG(Status);
    }
    return true;
  }
}

std::optional<GuardedEnd::Reason> Guard::whyStop() const {
  const uint64_t PageBytes = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t Pages = 0;
  unsigned Running = 0;
  for (const ProcessEntry &Process : processesBelowThis()) {
    Running += !Process.HasEnded;
    Pages += Process.ResidentPages;
  }
  const ProgramLimits &Limits = Program.Limits;
  if (Limits.MemoryBytes != 0 && Pages > Limits.MemoryBytes / PageBytes)
    return GuardedEnd::Reason::Memory;
  // The one that makes the sandbox is not the program's.
  const unsigned Beside = Program.Bubblewrap.empty() ? 0 : 1;
  if (Limits.Processes != 0 && Running > Limits.Processes + Beside)
    return GuardedEnd::Reason::Processes;
  return std::nullopt;
}

void Guard::takeWhatIsSaid() {
  char Buffer[1 << 16];
  // What prints without end keeps nobody from looking at the limits.
  constexpr unsigned MostReads = 16;
  for (unsigned Reads = 0; Reads != MostReads && Said.Read >= 0; ++Reads) {
    const ssize_t Count = read(Said.Read, Buffer, sizeof(Buffer));
    if (Count == 0)
      Said.closeRead();
    if (Count <= 0)
      return;
    const size_t Room = Program.Limits.KeptBytes - Kept.size();
    Kept.append(Buffer, std::min(size_t(Count), Room));
  }
}

void Guard::waitUntilEnd() {
  const Clock::time_point Begin = Clock::now(),
                          End = Begin +
                                std::chrono::seconds(Program.Limits.Seconds);
  Clock::time_point NextLook = Begin + LookEvery;
  while (!hasEnded() && !IsToEnd) {
    Clock::time_point Now = Clock::now();
    std::optional<GuardedEnd::Reason> Why;
    if (Program.Limits.Seconds != 0 && Now >= End) {
      Why = GuardedEnd::Reason::Time;
    } else if (Now >= NextLook) {
      Why = whyStop();
      // A machine with many processes is not looked at all the time.
      const Clock::time_point Looked = Clock::now();
      NextLook =
          Looked + std::max<Clock::duration>(LookEvery, 10 * (Looked - Now));
    }
    if (Why) {
      Out.Why = *Why;
      Out.Status = -1;
      return;
    }
    constexpr int PauseMs = 5;
    pollfd Event = {Said.Read, POLLIN, 0};
    poll(&Event, Said.Read >= 0, PauseMs);
    takeWhatIsSaid();
  }
}

void Guard::endAll() {
  // What a driver of the kernel holds cannot be ended and is not waited for.
  const Clock::time_point End = Clock::now() + std::chrono::seconds(10);
  while (Clock::now() < End) {
    for (const ProcessEntry &Process : processesBelowThis())
      if (!Process.HasEnded)
        kill(Process.Id, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0)
      ;
    if (waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Guard::live(int To, pid_t Parent) {
  // A terminal's signals are for the process that waits for the guard.
  setpgid(0, 0);
  for (int Signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS,
                     SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGCHLD})
    signal(Signal, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  for (int Signal : {SIGTERM, SIGINT, SIGHUP})
    signal(Signal, noteEnd);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != Parent)
    _exit(1);
  if (start()) {
    waitUntilEnd();
    if (Out.Why == GuardedEnd::Reason::Itself)
      Out.LeftBehind = unsigned(
          count_if(processesBelowThis(), [](const ProcessEntry &Process) {
            return !Process.HasEnded;
          }));
  }
  endAll();
  takeWhatIsSaid();
  auto Send = [&](const void *Bytes, size_t Size) {
    for (size_t Sent = 0; Sent != Size;) {
      const ssize_t Count = sys::RetryAfterSignal(
          -1, write, To, static_cast<const char *>(Bytes) + Sent, Size - Sent);
      if (Count <= 0)
        _exit(1);
      Sent += size_t(Count);
    }
  };
  Send(&Out, sizeof(Out));
  Send(Kept.data(), Kept.size());
  _exit(0);
}

static std::string readAll(int From) {
  std::string Text;
  char Buffer[1 << 12];
  while (true) {
    const ssize_t Count = sys::RetryAfterSignal(
        -1, read, From, static_cast<void *>(Buffer), sizeof(Buffer));
    if (Count <= 0)
      return Text;
    Text.append(Buffer, size_t(Count));
  }
}

Expected<GuardedEnd> gpuocc::runGuarded(const GuardedProgram &Program) {
  auto Fail = [&](const Twine &Why) {
    return createStringError("cannot run '" + Program.Path + "': " + Why);
  };
  Expected<WriteFence> Fence = WriteFence::create(Program.Writable);
  if (!Fence)
    return Fence.takeError();
  const bool IsBoxed = !Program.Bubblewrap.empty();
  Guard G(Program, *Fence);
  Pipe Answers;
  if (!Answers.open())
    return Fail(sys::StrError());
  const pid_t Parent = getpid(), Child = fork();
  if (Child < 0)
    return Fail(sys::StrError());
  if (Child == 0) {
    Answers.closeRead();
    G.live(Answers.Write, Parent);
  }
  Answers.closeWrite();
  const std::string Text = readAll(Answers.Read);
  sys::RetryAfterSignal(-1, waitpid, Child, nullptr, 0);
  Answer Got;
  if (Text.size() < sizeof(Got))
    return Fail("the process that watches it was ended");
  std::memcpy(&Got, Text.data(), sizeof(Got));
  if (Got.StartProblem != 0)
    return Fail(sys::StrError(Got.StartProblem));
  GuardedEnd End;
  End.Why = Got.Why;
  End.Status = Got.Status;
  End.Signal = Got.Signal;
  if (const int Signal = IsBoxed ? signalOfSandbox(Got.Status) : 0) {
    End.Status = -1;
    End.Signal = Signal;
  }
  End.LeftBehind = Got.LeftBehind;
  End.IsFenced = IsBoxed || Fence->isThere();
  End.Said = Text.substr(sizeof(Got));
  return End;
}

/// "512 MiB", "1.5 GiB".
static std::string bytesText(uint64_t Bytes) {
  constexpr double MiB = 1 << 20, GiB = 1 << 30;
  if (double(Bytes) < GiB)
    return formatv("{0:f0} MiB", double(Bytes) / MiB);
  return formatv("{0:f1} GiB", double(Bytes) / GiB);
}

static std::string countOf(unsigned Count, StringRef Noun) {
  return utostr(Count) + " " + plural(Count, Noun);
}

std::string gpuocc::howItEnded(const GuardedEnd &End,
                               const ProgramLimits &Limits) {
  switch (End.Why) {
  case GuardedEnd::Reason::Time:
    return "was stopped at the limit of " + countOf(Limits.Seconds, "second") +
           " (--timeout)";
  case GuardedEnd::Reason::Memory:
    return "was stopped: it used more than " + bytesText(Limits.MemoryBytes) +
           " of memory (--memory-limit)";
  case GuardedEnd::Reason::Processes:
    return "was stopped: it had more than " +
           countOf(Limits.Processes, "process") +
           " at the same time (--process-limit)";
  case GuardedEnd::Reason::Itself:
    break;
  }
  if (End.Signal == SIGXFSZ)
    return "was ended: it wrote a file of more than " +
           bytesText(Limits.FileBytes) + " (--file-limit)";
  if (End.Signal != 0)
    return "was ended by signal " + itostr(End.Signal) + " (" +
           strsignal(End.Signal) + ")";
  return "ended with status " + itostr(End.Status);
}
