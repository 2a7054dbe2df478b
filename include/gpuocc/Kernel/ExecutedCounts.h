//===- ExecutedCounts.h - What warps of a launch executed -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often warps went through each block of a kernel's code, and what their
/// accesses of memory asked for, counted while the kernel ran. The blocks are
/// those of the code that was read, so that an ExecutionProfile of it can be
/// held against them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_EXECUTEDCOUNTS_H
#define GPUOCC_KERNEL_EXECUTEDCOUNTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

struct KernelFacts;

enum class ExecutedKind : uint8_t { Load, Store, Atomic };

/// The requests of one access, of all counted warps together.
struct ExecutedAccess {
  /// Those of one lane.
  unsigned BytesPerLane = 0;
  ExecutedKind Kind = ExecutedKind::Load;
  /// Requests that lead to global memory, and their sectors of 32 bytes.
  uint64_t Requests = 0;
  uint64_t Sectors = 0;
  bool operator==(const ExecutedAccess &) const = default;
};

/// A block of code, of all counted warps together.
struct ExecutedBlock {
  /// As the branch at its end names them, the taken side first.
  llvm::SmallVector<uint32_t, 2> Successors;
  /// Executions by a warp, those behind which its lanes part, and lanes.
  uint64_t Executions = 0;
  uint64_t Partings = 0;
  uint64_t Lanes = 0;
  /// Accesses of memory that is not the thread's own, in their order.
  std::vector<ExecutedAccess> Accesses;
  bool operator==(const ExecutedBlock &) const = default;
};

/// What the warps of a launch did.
struct ExecutedCounts {
  /// Those that were counted; all of the grid, or those of some blocks of it.
  uint64_t NumWarps = 0;
  bool IsWholeGrid = true;
  /// Standard error of what a warp executes, as a share: 0 of a whole grid.
  double SampledError = 0;
  /// Block 0 is the entry.
  std::vector<ExecutedBlock> Blocks;

  /// For each block of \p Facts, read from the same code, the one here that it
  /// is. Nothing where the two do not fit together.
  std::optional<std::vector<uint32_t>> match(const KernelFacts &Facts) const;

  /// Writes this to \p Path. Fails where that cannot be written.
  llvm::Error write(llvm::StringRef Path) const;
  /// Reads what write() wrote. Fails where the file cannot be read or holds
  /// something else.
  static llvm::Expected<ExecutedCounts> load(llvm::StringRef Path);

  bool operator==(const ExecutedCounts &) const = default;
};

/// Where lanes of a warp meet again that part in a code of blocks.
struct MeetingPlaces {
  static constexpr uint32_t Nowhere = ~0u;
  /// By block: its immediate post-dominator, or Nowhere.
  std::vector<uint32_t> Joins;
  /// By block: the loop that it is the header of, and the innermost around it.
  std::vector<uint32_t> HeaderOf, LoopOf;
  /// Blocks of each loop and of those in it.
  std::vector<std::vector<bool>> InLoop;
  std::vector<uint32_t> Parent;

  MeetingPlaces() = default;
  /// Of the blocks behind each; block 0 is the entry.
  explicit MeetingPlaces(llvm::ArrayRef<llvm::SmallVector<uint32_t, 2>> Graph);
};

/// Where the counts of a launch go whose turns go to \p TurnsFile.
std::string executedFileBeside(llvm::StringRef TurnsFile);

/// The same for warps that were followed ahead of the launch.
std::string followedFileBeside(llvm::StringRef TurnsFile);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_EXECUTEDCOUNTS_H
