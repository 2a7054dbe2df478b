//===- BlockPlace.h - Where blocks run --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_BLOCKPLACE_H
#define GPUOCC_LIB_EXECUTE_BLOCKPLACE_H

#include "BlockRun.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>

namespace gpuocc::execute {

/// Memory below 4 GiB.
class SharedArea {
public:
  /// Fails where none is left.
  static llvm::Expected<std::unique_ptr<SharedArea>> create(uint64_t Bytes);
  ~SharedArea();
  SharedArea(const SharedArea &) = delete;
  SharedArea &operator=(const SharedArea &) = delete;

  /// Aligned for every swizzle of addresses.
  char *start() const;
  uint64_t bytes() const { return Bytes; }

private:
  SharedArea(char *Start, uint64_t Bytes) : Start(Start), Bytes(Bytes) {}
  char *Start;
  uint64_t Bytes;
};

/// What one block that runs occupies.
struct BlockPlace {
  std::unique_ptr<SharedArea> Shared;
  /// Null for threads that follow each other.
  std::unique_ptr<BlockRun> Run;
  unsigned MostThreads = 0;
  uint64_t StackBytes = 0;
};

/// Keeps places for the next block.
class BlockPlaces {
public:
  /// A place with \p SharedBytes, and stacks of \p StackBytes for
  /// \p NumThreads; no stacks where that is 0.
  llvm::Expected<BlockPlace> take(uint64_t SharedBytes, unsigned NumThreads,
                                  uint64_t StackBytes);
  void giveBack(BlockPlace Place);

private:
  std::mutex Lock;
  std::vector<BlockPlace> Free;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_BLOCKPLACE_H
