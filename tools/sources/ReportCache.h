//===- ReportCache.h - Reports of earlier runs ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A report is kept under what it was made with and found again while all files
/// that it was made from hold what they held: the source, every header, the
/// configuration and the device. That there is none is kept in the same way;
/// files that were looked for must still be absent then. Entries that are
/// damaged, or that another build wrote, are misses.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_REPORTCACHE_H
#define GPUOCC_TOOLS_SOURCES_REPORTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// What a run over one file gave.
struct KeptReport {
  /// The JSON report with facts; empty: the file could not be analyzed.
  std::string Json;
  /// What went to standard error.
  std::string Messages;
  /// The files that it was made from, and those that were looked for and do
  /// not exist.
  std::vector<std::string> Dependencies;
};

/// A folder of reports. Safe to use from several threads and processes.
class ReportCache {
public:
  /// \p Folder is made on the first store; empty: nothing is kept.
  explicit ReportCache(llvm::StringRef Folder) : Folder(Folder) {}

  /// The folder that `--cache` stands for by default: `gpu-occupancy` in
  /// XDG_CACHE_HOME or ~/.cache; empty where there is no home.
  static std::string defaultFolder();

  /// The report that was kept under \p Key, if its files are unchanged, or
  /// those that \p PathFor names in their places are what they were.
  std::optional<KeptReport> find(
      llvm::StringRef Key,
      llvm::function_ref<std::string(llvm::StringRef)> PathFor =
          [](llvm::StringRef Path) { return Path.str(); });

  /// Keeps \p Report. A full disk or a folder that cannot be written costs only
  /// the entry.
  void store(llvm::StringRef Key, const KeptReport &Report);

private:
  std::string pathOf(llvm::StringRef Key) const;
  /// Hash of what the file holds; AbsentFile for one that does not exist, 0 for
  /// one that cannot be read.
  uint64_t hashOfFile(llvm::StringRef Path);

  std::string Folder;
  std::mutex Mutex;
  llvm::StringMap<uint64_t> Hashes;
};

/// The files of the dependence file \p Text, as `clang -MD` writes it.
std::vector<std::string> parseDependencies(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_REPORTCACHE_H
