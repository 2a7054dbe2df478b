//===- SeenReads.h - What threads of a launch have read ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the threads of sampled blocks read from global memory while a kernel
/// ran: values that other blocks wrote meanwhile, and what atomics returned.
/// Code of any compiler can be walked with them, since they are found by thread
/// and address, not by instruction.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_SEENREADS_H
#define GPUOCC_KERNEL_SEENREADS_H

#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// A read by one thread, as it lies in a file.
struct SeenRead {
  uint64_t Address = 0;
  uint64_t Bits = 0;
  /// The number of the thread in its block.
  uint16_t Rank = 0;
  /// Up to 8.
  uint16_t Bytes = 0;
  /// The thread read the same there so often, one read after the other.
  uint32_t Times = 1;
  bool operator==(const SeenRead &) const = default;
};

/// What the threads of one block read, each thread's reads in their order.
struct SeenBlock {
  /// Its number in the grid, x first.
  uint64_t Number = 0;
  std::vector<SeenRead> Reads;
  /// Reads beyond these were not kept.
  bool IsCut = false;
  bool operator==(const SeenBlock &) const = default;
};

/// Where variables of a module lie, by their names.
using VariableAddresses = std::map<std::string, uint64_t>;

/// Writes \p Blocks of a launch with \p Grid and \p Block, and where the
/// variables lay, to \p Path. Fails where that cannot be written.
llvm::Error writeSeenBlocks(llvm::StringRef Path, Dim3 Grid, Dim3 Block,
                            llvm::ArrayRef<SeenBlock> Blocks,
                            const VariableAddresses &Variables = {});

/// The reads of the sampled blocks of a launch, to be looked up.
class SeenReads {
public:
  SeenReads(Dim3 Grid, Dim3 Block, std::vector<SeenBlock> Blocks);

  /// Reads what writeSeenBlocks() wrote. Fails where the file cannot be read or
  /// is none.
  static llvm::Expected<SeenReads> load(llvm::StringRef Path);

  /// The launch that they were seen in.
  Dim3 grid() const { return Grid; }
  Dim3 block() const { return Block; }
  /// The sampled blocks, ascending.
  llvm::ArrayRef<uint64_t> numbers() const { return Numbers; }
  /// Some reads were not kept.
  bool isCut() const { return IsCut; }

  /// The values of up to 4 bytes that thread \p Rank of block \p Number read at
  /// \p Address, in their order, the last value once; nothing where it never
  /// read that.
  llvm::ArrayRef<uint32_t> find(uint64_t Number, uint32_t Rank,
                                uint64_t Address, unsigned Bytes) const;

  /// Where the arrays of the launch lay, by the offset of their address in
  /// parameter memory.
  std::map<uint64_t, uint64_t> ArrayAddresses;
  VariableAddresses Variables;

private:
  using Key = std::pair<uint64_t, uint32_t>;

  void add(const SeenRead &R, uint32_t BlockIdx);
  static Key keyOf(uint32_t BlockIdx, uint32_t Rank, uint64_t Address,
                   unsigned Bytes);

  Dim3 Grid, Block;
  bool IsCut = false;
  std::vector<uint64_t> Numbers;
  struct Values {
    std::vector<uint32_t> InOrder;
    /// Repetitions of the last value, which count once another follows.
    uint32_t Repeated = 0;
  };
  llvm::DenseMap<Key, Values> Words;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_SEENREADS_H
