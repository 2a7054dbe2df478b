//===- BlockPlace.cpp - Where blocks run ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockPlace.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace gpuocc::execute;
using namespace llvm;

/// Places that wait for a block.
static constexpr size_t MostFree = 64;

/// Swizzles of shared addresses count on them.
static constexpr uint64_t AreaAlignment = 1 << 16;

Expected<std::unique_ptr<SharedArea>> SharedArea::create(uint64_t Bytes) {
  // The kernel has a range of addresses for such memory on x86-64 only;
  // elsewhere a hint is enough.
#ifdef MAP_32BIT
  constexpr int LowAddress = MAP_32BIT;
#else
  constexpr int LowAddress = 0;
#endif
  const uint64_t Whole = alignTo(Bytes + AreaAlignment, 4096);
  void *Place =
      mmap(reinterpret_cast<void *>(uintptr_t(1) << 30), Whole,
           PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | LowAddress, -1, 0);
  if (Place == MAP_FAILED)
    return createStringError("no memory is left for shared memory");
  return std::unique_ptr<SharedArea>(
      new SharedArea(static_cast<char *>(Place), Whole));
}

char *SharedArea::start() const {
  return reinterpret_cast<char *>(alignTo(uintptr_t(Start), AreaAlignment));
}

SharedArea::~SharedArea() { munmap(Start, Bytes); }

Expected<BlockPlace> BlockPlaces::take(uint64_t SharedBytes,
                                       unsigned NumThreads,
                                       uint64_t StackBytes) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    for (auto It = Free.begin(); It != Free.end(); ++It)
      if (It->Shared->bytes() >= SharedBytes + AreaAlignment &&
          It->MostThreads >= NumThreads && It->StackBytes >= StackBytes) {
        BlockPlace Found = std::move(*It);
        Free.erase(It);
        return std::move(Found);
      }
  }
  BlockPlace New;
  auto Shared = SharedArea::create(SharedBytes);
  if (!Shared)
    return Shared.takeError();
  New.Shared = std::move(*Shared);
  New.MostThreads = NumThreads;
  New.StackBytes = StackBytes;
  if (NumThreads != 0)
    New.Run = std::make_unique<BlockRun>(NumThreads, StackBytes);
  return std::move(New);
}

void BlockPlaces::giveBack(BlockPlace Place) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Free.size() < MostFree)
    Free.push_back(std::move(Place));
}
