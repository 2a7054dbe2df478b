//===- HostProgram.h - The host part of a program, run ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program says how it launches its kernels when it is run. It needs no GPU
/// for that: its host code is linked with a runtime that keeps device memory in
/// the host's, runs no kernel, and writes each launch down
/// (tools/launch-recorder).
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_HOSTPROGRAM_H
#define GPUOCC_TOOLS_SOURCES_HOSTPROGRAM_H

#include "ReadSource.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Toolchain/GuardedProgram.h"
#include "gpuocc/Toolchain/HostEvents.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"

namespace gpuocc {

/// What to build.
struct HostSources {
  /// All sources of the program: .cu, and host code in C++ or C.
  std::vector<std::string> Files;
  /// Sources that may hold what is missing; they are looked into where
  /// something is.
  std::vector<std::string> Spare;
  /// What does not compile is left out: a fragment that others include, or a
  /// part that needs a library which is not here.
  bool LeavesOut = false;
  /// Its kernels run, too: each object carries its device code, and the program
  /// ends where it ends by itself.
  bool Executes = false;
  /// What runs is nvcc's code where that is read, not clang's, and it counts
  /// what warps execute (Kernel/ExecutedCounts.h).
  bool CountsExecuted = false;
  /// Compiler, and arguments for it.
  SourceOptions Options;
};

/// How to run it.
struct HostRun {
  /// What the program gets on its command line.
  std::vector<std::string> Arguments;
  /// Where it runs, and may write; empty: here, and it may not.
  std::string Folder;
  /// What puts it into a sandbox; empty: it runs in none.
  std::string Bubblewrap;
  /// What it may use; it is ended beyond that.
  ProgramLimits Limits;
  /// Files and folders that it may write, beside Folder, MemoryFolder and a
  /// temporary folder of its own (TMPDIR).
  std::vector<std::string> Writable;
  /// It is ended when these were launched with these grids and blocks; where
  /// kernels run, behind twice as many launches of their kernels as these are.
  /// Empty: when it ends.
  std::vector<RecordedLaunch> Wanted;
  /// Where the contents of arrays go that decide what kernels do; empty:
  /// nowhere.
  std::string MemoryFolder;
  /// What it prints goes where this process prints.
  bool ShowsOutput = false;
  /// The order of launches, copies and waits is kept.
  bool KeepsEvents = false;
};

/// The launches of a run.
struct HostRecord {
  /// Each different one once, in the order of the program.
  std::vector<RecordedLaunch> Launches;
  /// Copies, waits, and how often each of the launches happened.
  HostActivity Activity;
  /// Empty where HostRun::KeepsEvents is false.
  HostEvents Events;
  /// What a user should know: libraries that did nothing, a run that was cut
  /// short or ended with an error.
  std::vector<std::string> Notes;
  /// It ended by itself, with status 0, and no kernel failed.
  bool EndedWell = false;
};

/// The words of \p Text, a command line quoted as in a shell.
std::vector<std::string> splitCommandLine(llvm::StringRef Text);

/// Builds \p Sources and runs them as \p Run says. \p Kernels, with their
/// parameters, are those whose arguments are wanted; \p Device is what the
/// program believes to run on.
///
/// Fails when the program cannot be built or started.
llvm::Expected<HostRecord> recordLaunches(const HostSources &Sources,
                                          const HostRun &Run,
                                          llvm::ArrayRef<KernelFacts> Kernels,
                                          const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_HOSTPROGRAM_H
