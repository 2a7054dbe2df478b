//===- OutputFile.cpp - Files that commands write -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

using FilePath = SmallString<256>;

namespace {

/// What a path stands for when the symbolic links are followed.
struct Target {
  FilePath Path;
  sys::fs::file_status Status;
  /// An open descriptor of this process that the path names; negative: none.
  int Descriptor = -1;

  bool exists() const { return sys::fs::exists(Status); }
  /// It is written to as it is, and not replaced.
  bool isSpecial() const {
    return Descriptor >= 0 || (exists() && !sys::fs::is_regular_file(Status));
  }
};

/// Writing to a pipe that nobody reads is an error in this scope, not a signal.
class WithoutPipeSignal {
public:
  WithoutPipeSignal() {
    sigemptyset(&Pipe);
    sigaddset(&Pipe, SIGPIPE);
    sigset_t Pending;
    sigpending(&Pending);
    WasPending = sigismember(&Pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &Pipe, &Before);
  }
  ~WithoutPipeSignal() {
    const timespec AtOnce = {0, 0};
    if (!WasPending)
      while (sigtimedwait(&Pipe, nullptr, &AtOnce) == SIGPIPE) {
      }
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal &) = delete;
  WithoutPipeSignal &operator=(const WithoutPipeSignal &) = delete;

private:
  sigset_t Pipe, Before;
  bool WasPending = false;
};

} // namespace

static Error cannotWrite(StringRef Path, const Twine &Why) {
  return createStringError(
      "cannot write " +
      (Path == "-" ? "to standard output" : "'" + printable(Path) + "'") +
      ": " + Why);
}

/// The descriptor that \p Path names: "-", `/dev/stdout`, `/dev/fd/3`,
/// `/proc/self/fd/3`; negative where it names none. Such a path is a link to
/// the file that the descriptor is open for, but what was written there before
/// has to stay.
static int descriptorOf(StringRef Path) {
  int Descriptor = -1;
  if (Path == "-" || Path == "/dev/stdout")
    return STDOUT_FILENO;
  if (Path == "/dev/stderr")
    return STDERR_FILENO;
  if ((Path.consume_front("/dev/fd/") ||
       Path.consume_front("/proc/self/fd/")) &&
      !Path.getAsInteger(10, Descriptor))
    return Descriptor;
  return -1;
}

/// True, with what it holds, when \p Path is a symbolic link.
static bool readLink(const FilePath &Path, FilePath &Link) {
  char Text[4096];
  const ssize_t Length =
      readlink(std::string(Path).c_str(), Text, sizeof(Text));
  if (Length > 0)
    Link = StringRef(Text, size_t(Length));
  return Length > 0;
}

/// Follows \p Path to what is to be written.
static Expected<Target> resolve(StringRef Path) {
  Target T;
  T.Path = Path;
  constexpr unsigned MostLinks = 40;
  for (unsigned I = 0; I != MostLinks; ++I) {
    T.Descriptor = descriptorOf(T.Path);
    if (T.Descriptor >= 0)
      return T;
    FilePath Link;
    if (!readLink(T.Path, Link)) {
      const std::error_code EC = sys::fs::status(T.Path, T.Status);
      if (EC && EC != std::errc::no_such_file_or_directory)
        return cannotWrite(Path, EC.message());
      return T;
    }
    if (!sys::path::is_absolute(Link)) {
      FilePath Beside(sys::path::parent_path(T.Path));
      sys::path::append(Beside, Link);
      Link = Beside;
    }
    T.Path = Link;
  }
  return cannotWrite(Path, "too many symbolic links");
}

static StringRef folderOf(const Target &T) {
  StringRef Folder = sys::path::parent_path(T.Path);
  return Folder.empty() ? "." : Folder;
}

static Error checkTarget(const Target &T, StringRef Path) {
  if (T.Descriptor >= 0)
    return Error::success();
  if (sys::fs::is_directory(T.Status) || sys::path::is_separator(Path.back()))
    return cannotWrite(Path, "it is a folder");
  const StringRef Folder = folderOf(T);
  if (!sys::fs::is_directory(Folder))
    return cannotWrite(Path, "there is no folder '" + printable(Folder) + "'");
  if (T.exists())
    if (std::error_code EC =
            sys::fs::access(T.Path, sys::fs::AccessMode::Write))
      return cannotWrite(Path, EC.message());
  if (!T.isSpecial())
    if (std::error_code EC =
            sys::fs::access(Folder, sys::fs::AccessMode::Write))
      return cannotWrite(Path,
                         "folder '" + printable(Folder) + "': " + EC.message());
  return Error::success();
}

Error gpuocc::checkOutput(StringRef Path, ArrayRef<StringRef> Inputs) {
  if (Path.empty())
    return createStringError("the name of the output is empty");
  Expected<Target> T = resolve(Path);
  if (!T)
    return T.takeError();
  if (Error E = checkTarget(*T, Path))
    return E;
  for (StringRef Input : Inputs)
    if (!T->isSpecial() && sys::fs::equivalent(T->Path, Input))
      return cannotWrite(Path, "it is an input too");
  return Error::success();
}

/// Closes \p OS and says what went wrong in it.
static Error close(raw_fd_ostream &OS, StringRef Path) {
  OS.close();
  const std::error_code EC = OS.error();
  OS.clear_error();
  return EC ? cannotWrite(Path, EC.message()) : Error::success();
}

static Error writeDirectly(const Target &T, StringRef Path,
                           function_ref<Error(raw_ostream &)> Write) {
  int Descriptor = -1;
  if (T.Descriptor >= 0) {
    // What this process has said so far comes first.
    outs().flush();
    Descriptor = dup(T.Descriptor);
    if (Descriptor < 0)
      return cannotWrite(Path, errnoAsErrorCode().message());
  } else if (std::error_code EC = sys::fs::openFileForWrite(
                 T.Path, Descriptor, sys::fs::CD_OpenExisting,
                 sys::fs::OF_None)) {
    return cannotWrite(Path, EC.message());
  }
  const WithoutPipeSignal Guard;
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  Error Failed = Write(OS);
  Error Closed = close(OS, Path);
  return Failed ? joinErrors(std::move(Failed), std::move(Closed))
                : std::move(Closed);
}

/// Creates an empty file beside \p T, whose name is stored in \p Path. Its
/// removal is registered before it is there.
static std::error_code createBeside(const Target &T, FilePath &Path,
                                    int &Descriptor) {
  constexpr unsigned MostTries = 64;
  std::error_code EC;
  for (unsigned I = 0; I != MostTries; ++I) {
    Path = folderOf(T);
    sys::path::append(Path, ".gpu-occupancy-" +
                                utohexstr(sys::Process::GetRandomNumber()) +
                                ".tmp");
    sys::RemoveFileOnSignal(Path);
    EC = sys::fs::openFileForWrite(Path, Descriptor, sys::fs::CD_CreateNew,
                                   sys::fs::OF_None);
    if (!EC)
      return EC;
    sys::DontRemoveFileOnSignal(Path);
    if (EC != std::errc::file_exists)
      return EC;
  }
  return EC;
}

/// Gives the file behind \p Descriptor the permissions of \p T. Only root may
/// give away its owner too.
static std::error_code takeOver(const Target &T, int Descriptor) {
  if (fchown(Descriptor, T.Status.getUser(), T.Status.getGroup()) != 0 &&
      geteuid() == 0)
    return errnoAsErrorCode();
  return sys::fs::setPermissions(Descriptor, T.Status.permissions());
}

static Error replace(const Target &T, StringRef Path,
                     function_ref<Error(raw_ostream &)> Write) {
  FilePath Temporary;
  int Descriptor = -1;
  if (std::error_code EC = createBeside(T, Temporary, Descriptor))
    return cannotWrite(Path, EC.message());
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  auto WriteAndRename = [&]() -> Error {
    Error Failed = Write(OS);
    if (!Failed && T.exists())
      if (std::error_code EC = takeOver(T, Descriptor))
        Failed = cannotWrite(Path, EC.message());
    // The name changes when all is written. That it also outlives a loss of
    // power is not worth a wait for the disk in each compile.
    Error Closed = close(OS, Path);
    if (Failed)
      return joinErrors(std::move(Failed), std::move(Closed));
    if (Closed)
      return Closed;
    if (std::error_code EC = sys::fs::rename(Temporary, T.Path))
      return cannotWrite(Path, EC.message());
    return Error::success();
  };
  Error Result = WriteAndRename();
  if (Result)
    (void)sys::fs::remove(Temporary);
  sys::DontRemoveFileOnSignal(Temporary);
  return Result;
}

Error gpuocc::writeOutput(StringRef Path,
                          function_ref<Error(raw_ostream &)> Write) {
  Expected<Target> T = resolve(Path);
  if (!T)
    return T.takeError();
  if (Error E = checkTarget(*T, Path))
    return E;
  return T->isSpecial() ? writeDirectly(*T, Path, Write)
                        : replace(*T, Path, Write);
}

Error gpuocc::writeOutput(StringRef Path, StringRef Text) {
  return writeOutput(Path, [&](raw_ostream &OS) {
    OS << Text;
    return Error::success();
  });
}
