//===- LockFile.h - What kernels take, to be checked in ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A lock file is made to be read in a review and merged by git: a head, then
/// one block of lines a kernel, sorted by name, one value a line. docs/lock.md
/// describes the lines. Each block ends with a sum of its own lines, so that
/// two branches that change different kernels merge, and an edit by hand shows.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LOCK_LOCKFILE_H
#define GPUOCC_LOCK_LOCKFILE_H

#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// The version of the form that is written and read.
constexpr unsigned LockVersion = currentVersion(FileFormat::Lock);

/// The name of the file where nobody gives another.
constexpr llvm::StringLiteral LockFileName = "gpu-occupancy.lock";

/// Heuristic: so many kernels of one stable name can be told apart by what they
/// take. Of more, a change of one would show as a change of all.
constexpr size_t MostOfOneName = 64;

/// A launch that is known, on one device.
struct LockedLaunch {
  /// KernelSummary::LaunchText.
  std::string Text;
  std::string Device;
  /// The device refuses the launch: nothing below is known.
  bool CannotRun = false;
  std::optional<uint64_t> BlocksPerSm;
  /// As it is shown: three digits.
  std::optional<double> TimeNs;
  std::string Limiter;
  /// For 90 % of the bound, and those that an SM holds.
  std::optional<uint64_t> NeededWarps, WarpsPerSm;
  /// Loaded data decides what the kernel does.
  bool DataDecides = false;

  bool operator==(const LockedLaunch &) const = default;
};

/// Blocks of a size that an SM holds, by registers and static shared memory.
struct LockedBlocks {
  uint64_t PerSm = 0, Threads = 0;
  bool operator==(const LockedBlocks &) const = default;
};

/// A kernel for one architecture.
struct LockedKernel {
  /// stableName() of it. Kernels that take different arguments may share it.
  std::string Name;
  /// "sm_90".
  std::string Architecture;
  std::optional<uint64_t> Registers;
  /// No assembler gave the registers.
  bool IsEstimate = false;
  /// Per thread: stored and loaded.
  std::optional<uint64_t> SpillBytes;
  std::optional<uint64_t> StackBytes;
  /// Static.
  std::optional<uint64_t> SharedBytes;
  /// Where no launch is known.
  std::optional<LockedBlocks> Blocks;
  std::vector<LockedLaunch> Launches;

  bool operator==(const LockedKernel &) const = default;
};

struct LockFile {
  /// Name and version.
  std::string Tool;
  /// Whose code it is, each once.
  std::vector<std::string> Compilers;
  /// Devices that launches were priced for.
  std::vector<std::string> Devices;
  /// In the order of the file once written.
  std::vector<LockedKernel> Kernels;
};

/// Sorts what \p Lock holds, drops what it holds twice, and rounds times as
/// they are shown, so that it equals what comes back from its text. Fails where
/// more than MostOfOneName kernels of one architecture have one name.
llvm::Error normalize(LockFile &Lock);

/// The text of \p Lock, which is normalized.
std::string lockText(const LockFile &Lock);

/// Reads what lockText() made. Fails with one line that names \p FileName and
/// the line: no lock file, a newer version, marks of a merge that was not
/// resolved, a block that was edited by hand.
llvm::Expected<LockFile> parseLock(llvm::StringRef Text,
                                   llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_LOCK_LOCKFILE_H
