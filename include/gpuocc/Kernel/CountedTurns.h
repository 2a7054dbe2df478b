//===- CountedTurns.h - Turns of loops in a launch that ran -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often loops turned that data end, counted in all blocks of a grid while
/// a kernel ran. Loops are found by the source lines of their bodies, so that
/// counts of the code that ran serve the code of another compiler.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_COUNTEDTURNS_H
#define GPUOCC_KERNEL_COUNTEDTURNS_H

#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

struct KernelFacts;

/// Turns of one loop, of a warp or of all warps of a grid.
struct TurnCount {
  /// Times that some lane of a warp entered the loop.
  double Entries = 0;
  /// Turns of the longest lane, summed over these times.
  double Turns = 0;
  /// Turns of the mean lane of those that entered, summed likewise.
  double MeanLaneTurns = 0;

  TurnCount &operator+=(const TurnCount &Other) {
    Entries += Other.Entries;
    Turns += Other.Turns;
    MeanLaneTurns += Other.MeanLaneTurns;
    return *this;
  }
  bool operator==(const TurnCount &) const = default;
};

/// A loop of the code that ran.
struct CountedLoop {
  /// "file.cu:34", of what is in it and in no loop inside it.
  std::vector<std::string> Places;
  /// Over all warps of the grid.
  TurnCount All;
  bool operator==(const CountedLoop &) const = default;
};

/// A block of the grid whose warps are known one by one.
struct CountedBlock {
  /// Its number in the grid, x first.
  uint64_t Number = 0;
  /// One of those that turn most; the others are spread over the grid.
  bool IsLongest = false;
  /// By warp, then by loop.
  std::vector<TurnCount> Turns;
  bool operator==(const CountedBlock &) const = default;
};

/// What was counted in one launch.
struct CountedTurns {
  Dim3 Grid, Block;
  std::vector<CountedLoop> Loops;
  /// By number.
  std::vector<CountedBlock> Blocks;

  /// The loops here that each loop of \p Facts is; none where no loop here has
  /// about the lines that it has. Several where code was copied.
  std::vector<std::vector<uint32_t>> match(const KernelFacts &Facts) const;

  /// Of warp \p Warp of block \p Number, where that block is known by itself,
  /// in \p InLoops together.
  std::optional<TurnCount> ofWarp(uint64_t Number, unsigned Warp,
                                  llvm::ArrayRef<uint32_t> InLoops) const;
  /// Of all warps of the grid.
  TurnCount ofGrid(llvm::ArrayRef<uint32_t> InLoops) const;

  /// Writes this to \p Path. Fails where that cannot be written.
  llvm::Error write(llvm::StringRef Path) const;
  /// Reads what write() wrote. Fails where the file cannot be read or holds
  /// something else.
  static llvm::Expected<CountedTurns> load(llvm::StringRef Path);

  bool operator==(const CountedTurns &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_COUNTEDTURNS_H
