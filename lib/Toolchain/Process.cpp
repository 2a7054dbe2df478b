//===- Process.cpp - Running other programs -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include "Remains.h"
#include "gpuocc/Support/ThreadBeside.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

namespace {

/// An open file without a name, which no end of this process leaves behind.
class ScratchFile {
public:
  ScratchFile() = default;
  ~ScratchFile() {
    if (Descriptor >= 0)
      close(Descriptor);
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  Error open() {
    const std::string Parent = temporaryRoot();
    std::string Path = Parent + "/gpuocc-XXXXXX";
    std::error_code EC;
    Remains::get().whole([&] {
      Descriptor = mkostemp(Path.data(), O_CLOEXEC);
      if (Descriptor < 0)
        EC = errnoAsErrorCode();
      else
        sys::fs::remove(Path);
    });
    if (EC)
      return createStringError(EC, "cannot create a temporary file in '" +
                                       Parent + "': " + EC.message());
    return Error::success();
  }

  int descriptor() const { return Descriptor; }

  Expected<std::string> read() const {
    auto Buffer = MemoryBuffer::getOpenFile(Descriptor, "output of a program",
                                            /*FileSize=*/-1,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    if (!Buffer)
      return errorCodeToError(Buffer.getError());
    return (*Buffer)->getBuffer().str();
  }

private:
  int Descriptor = -1;
};

/// Words as execve() takes them.
class WordList {
public:
  void add(StringRef Word) { Words.push_back(Word.str()); }

  char *const *get() {
    Pointers.clear();
    for (std::string &Word : Words)
      Pointers.push_back(Word.data());
    Pointers.push_back(nullptr);
    return Pointers.data();
  }

private:
  std::vector<std::string> Words;
  std::vector<char *> Pointers;
};

/// What the child needs, prepared: between fork() and execve() nothing may be
/// allocated.
struct Start {
  const char *Program = nullptr;
  char *const *Arguments = nullptr;
  char *const *Environment = nullptr;
  int Input = -1, Output = -1, Errors = -1;
  /// Takes the error number where the program cannot be started.
  int Problem = -1;
  pid_t Parent = 0;
  int Niceness = 0;
  /// Where it runs; null: where the parent does.
  const char *Folder = nullptr;
  /// It leads a group of its own, which is ended as a whole.
  bool LeadsGroup = true;
};

} // namespace

/// The child's side: becomes the program.
[[noreturn]] static void becomeProgram(const Start &S) {
  if (S.LeadsGroup)
    setpgid(0, 0);
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != S.Parent)
    _exit(127);
  if (S.Niceness != 0)
    (void)!nice(S.Niceness);
  for (int Signal : {SIGPIPE, SIGXFSZ})
    signal(Signal, SIG_DFL);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
  if (dup2(S.Input, STDIN_FILENO) >= 0 && dup2(S.Output, STDOUT_FILENO) >= 0 &&
      dup2(S.Errors, STDERR_FILENO) >= 0 && (!S.Folder || chdir(S.Folder) == 0))
    execve(S.Program, S.Arguments, S.Environment);
  const int Number = errno;
  (void)!write(S.Problem, &Number, sizeof(Number));
  _exit(127);
}

/// Starts the program; fails with the reason when it does not start.
static Expected<pid_t> start(Start S) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return errorCodeToError(errnoAsErrorCode());
  S.Problem = Pipe[1];
  S.Parent = getpid();
  const pid_t Child = fork();
  if (Child == 0)
    becomeProgram(S);
  const int ForkProblem = errno;
  close(Pipe[1]);
  int Number = 0;
  const bool IsStarted =
      Child > 0 && sys::RetryAfterSignal(-1, read, Pipe[0], &Number,
                                         sizeof(Number)) != sizeof(Number);
  close(Pipe[0]);
  if (Child < 0)
    return errorCodeToError(
        std::error_code(ForkProblem, std::generic_category()));
  if (IsStarted)
    return Child;
  sys::RetryAfterSignal(-1, waitpid, Child, nullptr, 0);
  return errorCodeToError(std::error_code(Number, std::generic_category()));
}

enum class Ending { Itself, Limit, Stopped };

/// Waits until \p Child has ended, or for a reason of \p Options to end it.
static Ending waitUntilEnd(pid_t Child, const ProcessOptions &Options) {
  const WaitBeside Waiting;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point End =
      Clock::now() + std::chrono::seconds(Options.LimitSeconds);
  const bool Polls = Options.LimitSeconds != 0 || Options.Stop;
  while (true) {
    siginfo_t Info;
    Info.si_pid = 0;
    // It stays a child until its group was ended.
    const int Flags = WEXITED | WNOWAIT | (Polls ? WNOHANG : 0);
    if (waitid(P_PID, id_t(Child), &Info, Flags) != 0) {
      if (errno == EINTR)
        continue;
      return Ending::Itself;
    }
    if (Info.si_pid == Child)
      return Ending::Itself;
    if (Options.Stop && *Options.Stop)
      return Ending::Stopped;
    if (Options.LimitSeconds != 0 && Clock::now() >= End)
      return Ending::Limit;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

static void finish(pid_t Child, bool LeadsGroup, const ProcessOptions &Options,
                   ProcessResult &Result) {
  const Ending How = waitUntilEnd(Child, Options);
  Result.TimedOut = How == Ending::Limit;
  const pid_t Target = LeadsGroup ? -Child : Child;
  if (How != Ending::Itself)
    endGently(Target, Child);
  // What it started and left running ends with it.
  kill(Target, SIGKILL);
  if (Options.IsContained)
    Remains::get().dropProgram(Child);
  int Status = 0;
  sys::RetryAfterSignal(-1, waitpid, Child, &Status, 0);
  if (WIFEXITED(Status) && How == Ending::Itself) {
    Result.Status = WEXITSTATUS(Status);
    return;
  }
  Result.Status = -1;
  if (WIFSIGNALED(Status) && !Result.TimedOut)
    Result.Signal = WTERMSIG(Status);
}

/// True when \p Environment has the variable \p Name.
static bool isSet(StringRef Name, ArrayRef<std::string> Environment) {
  return any_of(Environment, [&](StringRef Variable) {
    return Variable.split('=').first == Name;
  });
}

/// Tells a program that it is in a group that ends as a whole, so that what it
/// starts in turn stays in that.
static constexpr StringLiteral InGroupVariable = "GPUOCC_IN_GROUP";

/// True for programs without a group of their own.
static bool staysInGroup(const ProcessOptions &Options) {
  return sys::Process::GetEnv(InGroupVariable) && Options.LimitSeconds == 0 &&
         !Options.Stop;
}

Expected<ProcessResult> gpuocc::runProcess(StringRef Program,
                                           ArrayRef<StringRef> Arguments,
                                           const ProcessOptions &Given) {
  ProcessOptions Options = Given;
  std::optional<TemporaryFolder> Own;
  if (Options.IsContained && !isSet("TMPDIR", Options.Environment)) {
    Expected<TemporaryFolder> Folder = TemporaryFolder::create("gpuocc");
    if (!Folder)
      return Folder.takeError();
    Own.emplace(std::move(*Folder));
    Options.Environment.push_back(("TMPDIR=" + Own->path()).str());
  }
  Options.Environment.push_back((InGroupVariable + "=1").str());
  ScratchFile Output, Errors;
  if (Error E = Output.open())
    return std::move(E);
  if (Error E = Errors.open())
    return std::move(E);
  const std::string Path = Program.str();
  WordList Words, Variables;
  Words.add(Program);
  for (StringRef Argument : Arguments)
    Words.add(Argument);
  for (char **Variable = environ; *Variable; ++Variable)
    if (!isSet(StringRef(*Variable).split('=').first, Options.Environment))
      Variables.add(*Variable);
  for (const std::string &Variable : Options.Environment)
    Variables.add(Variable);
  Start S;
  S.Program = Path.c_str();
  S.Arguments = Words.get();
  S.Environment = Variables.get();
  S.Input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const scope_exit CloseInput([&] { close(S.Input); });
  S.Output = Options.ShowsOutput ? STDOUT_FILENO : Output.descriptor();
  S.Errors = Options.ShowsOutput ? STDERR_FILENO : Errors.descriptor();
  S.Niceness = Options.Niceness;
  S.Folder = Options.Folder.empty() ? nullptr : Options.Folder.c_str();
  S.LeadsGroup = !staysInGroup(Options);
  auto StartIt = [&] { return start(S); };
  Expected<pid_t> Child = Options.IsContained
                              ? Remains::get().addProgram(S.LeadsGroup, StartIt)
                              : StartIt();
  if (!Child)
    return createStringError("cannot run '" + Program +
                             "': " + toString(Child.takeError()));
  ProcessResult Result;
  finish(*Child, S.LeadsGroup, Options, Result);
  if (Error E = Output.read().moveInto(Result.Output))
    return std::move(E);
  if (Error E = Errors.read().moveInto(Result.ErrorOutput))
    return std::move(E);
  return Result;
}

std::string gpuocc::howItEnded(const ProcessResult &Result,
                               unsigned LimitSeconds) {
  if (Result.TimedOut)
    return "was stopped at the limit of " + utostr(LimitSeconds) + " second" +
           (LimitSeconds == 1 ? "" : "s");
  if (Result.Signal != 0)
    return "was ended by signal " + itostr(Result.Signal) + " (" +
           strsignal(Result.Signal) + ")";
  return "ended with status " + itostr(Result.Status);
}

StringRef gpuocc::errorLineOf(StringRef Said) {
  SmallVector<StringRef, 16> Lines;
  Said.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    if (Line.contains("error") || Line.contains("fatal"))
      return Line.trim();
  return Lines.empty() ? StringRef("no message") : Lines.front().trim();
}
