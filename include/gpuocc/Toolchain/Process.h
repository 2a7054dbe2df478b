//===- Process.h - Running other programs ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_PROCESS_H
#define GPUOCC_TOOLCHAIN_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <string>
#include <vector>

namespace gpuocc {

/// A temporary file that goes away with its owner, or with the process when a
/// signal ends it.
class TemporaryFile {
public:
  /// A new empty file; its name holds \p Prefix and ends in ".\p Suffix".
  static llvm::Expected<TemporaryFile> create(llvm::StringRef Prefix,
                                              llvm::StringRef Suffix);
  TemporaryFile(TemporaryFile &&Other);
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile();

  llvm::StringRef path() const { return Path; }
  llvm::Error write(llvm::StringRef Text) const;
  llvm::Expected<std::string> read() const;

private:
  TemporaryFile() = default;
  llvm::SmallString<128> Path;
};

/// A temporary folder that goes away with its owner, or with the process when
/// SIGINT, SIGTERM, SIGHUP or SIGPIPE ends it, and all that is in it; links in
/// it are removed, not followed.
class TemporaryFolder {
public:
  /// A new empty folder in \p Root; where that is empty, in the folder that the
  /// system has for temporary files. Its path is absolute.
  static llvm::Expected<TemporaryFolder> create(llvm::StringRef Prefix,
                                                llvm::StringRef Root = "");
  TemporaryFolder(TemporaryFolder &&Other);
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  llvm::StringRef path() const { return Path; }

private:
  TemporaryFolder() = default;
  llvm::SmallString<128> Path;
};

/// How a program ended and what it said.
struct ProcessResult {
  /// Exit status; negative when it did not exit by itself.
  int Status = 0;
  /// The signal that ended it; 0: none, or the time limit did.
  int Signal = 0;
  /// It ran for longer than it may.
  bool TimedOut = false;
  std::string Output;
  std::string ErrorOutput;
};

/// "ended with status 3", "was ended by signal 11 (Segmentation fault)", "was
/// stopped at the limit of 60 seconds".
std::string howItEnded(const ProcessResult &Result, unsigned LimitSeconds);

/// The first line of \p Said, which a program printed, that names an error;
/// else its first line, or "no message" of nothing.
llvm::StringRef errorLineOf(llvm::StringRef Said);

/// What a program gets beside its arguments.
struct ProcessOptions {
  /// "NAME=value", instead of or beside the variables of this process.
  std::vector<std::string> Environment;
  /// The program is ended after that, with all that it started; 0: never.
  unsigned LimitSeconds = 0;
  /// Another thread sets it to have the program ended; null: nobody does.
  const std::atomic<bool> *Stop = nullptr;
  /// Where it runs; empty: where this process does.
  std::string Folder;
  /// Added to the program's niceness: it gives way to others.
  int Niceness = 0;
  /// It gets a folder of its own for temporary files (TMPDIR, unless
  /// Environment has one), and a signal that ends this process ends all that it
  /// started. Not for plugins: handlers of signals are the compiler's.
  bool IsContained = true;
  /// What it prints goes where this process prints, and is not in the result.
  bool ShowsOutput = false;
};

/// Runs \p Program (a path) with \p Arguments (without the program itself) and
/// no input. It ends when this process ends, by whatever signal; it gets
/// SIGTERM and, where it goes on for a second, SIGKILL. It writes no core file.
/// Fails only when it cannot be started.
llvm::Expected<ProcessResult>
runProcess(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Arguments,
           const ProcessOptions &Options = {});

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_PROCESS_H
