//===- GuardedProgram.h - Running a program that is not ours ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_GUARDEDPROGRAM_H
#define GPUOCC_TOOLCHAIN_GUARDEDPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuocc {

/// What a program may use, with all that it starts. 0: any amount.
struct ProgramLimits {
  unsigned Seconds = 60;
  /// Resident at the same time, as the kernel counts it: what processes share
  /// counts for each of them. Looked at every 50 ms.
  uint64_t MemoryBytes = 0;
  /// Of each file that it writes.
  uint64_t FileBytes = uint64_t(1) << 30;
  /// At the same time.
  unsigned Processes = 64;
  /// Kept of what it says on standard error; the rest, and all of its standard
  /// output, is dropped as it comes.
  size_t KeptBytes = size_t(1) << 16;
};

/// Half of the memory of this machine.
uint64_t halfOfMemoryBytes();

/// A program to run.
struct GuardedProgram {
  std::string Path;
  /// Without the program itself.
  std::vector<std::string> Arguments;
  /// "NAME=value", instead of or beside the variables of this process.
  std::vector<std::string> Environment;
  /// Files and folders that it may write, with all that is in them; other files
  /// are only read where the kernel can hold it to that.
  std::vector<std::string> Writable;
  /// The program that puts it into a sandbox (Sandbox.h); empty: none does.
  std::string Bubblewrap;
  /// What it prints goes where this process prints, and is not in the result.
  bool ShowsOutput = false;
  ProgramLimits Limits;
};

/// How it ended.
struct GuardedEnd {
  enum class Reason : uint8_t { Itself, Time, Memory, Processes };
  Reason Why = Reason::Itself;
  /// Exit status; -1 when it did not exit by itself.
  int Status = 0;
  /// The signal that ended it; 0: none, or a limit did.
  int Signal = 0;
  /// Processes that were still there when it had ended, and were ended.
  unsigned LeftBehind = 0;
  /// False where the kernel could not keep it from writing elsewhere.
  bool IsFenced = false;
  /// The start of what it said on standard error.
  std::string Said;
};

/// "ended with status 3", "was stopped: it used more than 512 MiB of memory
/// (--memory-limit)". The options are those of `gpu-occupancy record`.
std::string howItEnded(const GuardedEnd &End, const ProgramLimits &Limits);

/// Runs \p Program without input. Whatever it does, this returns when it has
/// ended or reached a limit, and nothing that it started runs any longer, also
/// what left its session or group; nor does it when this process ends, by
/// whatever signal. It leaves no core file. Fails only when it cannot be
/// started.
llvm::Expected<GuardedEnd> runGuarded(const GuardedProgram &Program);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_GUARDEDPROGRAM_H
