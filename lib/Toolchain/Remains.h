//===- Remains.h - What no end of this process leaves behind ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_TOOLCHAIN_REMAINS_H
#define GPUOCC_LIB_TOOLCHAIN_REMAINS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <set>
#include <string>
#include <sys/types.h>

namespace gpuocc {

/// Where temporary files go: TMPDIR, or what the system has instead; absolute.
std::string temporaryRoot();

/// Removes \p Path and what is in it, into which programs that end may still
/// write.
void removeFolder(llvm::StringRef Path);

/// Sends SIGTERM to \p Target, a process or, negative, a group, and waits for
/// \p Child to end. True when it did within the time that programs get to clean
/// up.
bool endGently(pid_t Target, pid_t Child);

/// The folders of this process and the programs that it runs. SIGINT, SIGTERM,
/// SIGHUP and SIGPIPE end the programs and remove the folders before they end
/// the process. Removing a folder allocates memory, which a handler of signals
/// must not: a thread that waits for them does it.
class Remains {
public:
  /// One, as signals are of the process.
  static Remains &get();

  /// Calls \p Make, which makes a folder and returns its path, and notes that.
  /// Does not return once a signal ends this process.
  llvm::Expected<std::string>
  addFolder(llvm::function_ref<llvm::Expected<std::string>()> Make);
  void dropFolder(llvm::StringRef Path);

  /// Calls \p Start, which starts a program and returns its number, and notes
  /// that. Does not return once a signal ends this process.
  llvm::Expected<pid_t>
  addProgram(bool LeadsGroup,
             llvm::function_ref<llvm::Expected<pid_t>()> Start);
  /// To be called before \p Program is waited for: its number may be another's
  /// afterwards.
  void dropProgram(pid_t Program);

  /// Calls \p Step as a whole: this process is not cleaned up after while it
  /// runs. Does not return once a signal ends this process.
  void whole(llvm::function_ref<void()> Step);

private:
  void watch();
  [[noreturn]] void waitForSignal();
  void endPrograms();

  std::mutex Mutex;
  std::set<std::string> Folders;
  /// Negative: groups.
  std::set<pid_t> Programs;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_TOOLCHAIN_REMAINS_H
