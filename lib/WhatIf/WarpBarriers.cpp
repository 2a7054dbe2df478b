//===- WarpBarriers.cpp - Barriers that only warps need -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/WarpBarriers.h"
#include "AddressAt.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Barriers.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr uint64_t WidthOfWarp = 32;

/// True where an array that the kernel writes is read as well: threads may meet
/// there.
static bool meetsInArrays(const KernelFacts &Facts) {
  std::set<uint64_t> Read, Written;
  for (const MemoryAccess &A : Facts.Accesses) {
    if (!isInArrays(A.Space))
      continue;
    const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
    if (!Array || isAtomic(A.Kind))
      return true;
    (A.Kind == AccessKind::Load ? Read : Written).insert(*Array);
  }
  return any_of(Written, [&](uint64_t Array) { return Read.count(Array); });
}

namespace {

/// Which warp writes each word of the shared memory of a block.
class Owners {
public:
  explicit Owners(const KernelVariant &V) : V(V) {}

  /// False where it is not known, or where a warp reads what another wrote.
  bool find() {
    const uint64_t Threads = V.Launched.threadsPerBlock();
    for (AccessKind Kind : {AccessKind::Store, AccessKind::Load})
      for (uint64_t T = 0; T != Threads; ++T)
        if (!findOf(T, Kind))
          return false;
    return !OwnerOf.empty();
  }

private:
  const KernelVariant &V;
  /// By address in words; NoOwner for those that several write.
  std::map<int64_t, uint64_t> OwnerOf;
  static constexpr uint64_t NoOwner = ~uint64_t(0);

  bool findOf(uint64_t Thread, AccessKind Kind) {
    const Dim3 &Block = V.Launched.Block.Value;
    AddressAt::Place P;
    P.Thread = {int64_t(Thread % Block.X), int64_t(Thread / Block.X % Block.Y),
                int64_t(Thread / (Block.X * Block.Y))};
    AddressAt First(V.Facts, V.Launched, P);
    // In loops, the words of all passes are to be the same.
    std::map<uint32_t, AddressAt> Second;
    for (const MemoryAccess &A : V.Facts.Accesses) {
      if (A.Space != MemorySpace::Shared || A.Kind != Kind)
        continue;
      const std::optional<int64_t> At = First.of(A.Base);
      if (!At)
        return false;
      for (uint32_t L = V.Facts.Blocks[V.Facts.Operations[A.Op].Block].Loop;
           L != NoIndex; L = V.Facts.Loops[L].Parent)
        if (Second.try_emplace(L, V.Facts, V.Launched, P, L)
                .first->second.of(A.Base) != At)
          return false;
      constexpr int64_t BytesOfWord = 4;
      const int64_t Begin = *At + A.OffsetBytes;
      for (int64_t Byte = Begin; Byte < Begin + int64_t(A.BytesPerLane);
           Byte += BytesOfWord)
        if (!touch(Byte / BytesOfWord, Thread / WidthOfWarp, Kind))
          return false;
    }
    return true;
  }

  bool touch(int64_t Word, uint64_t Warp, AccessKind Kind) {
    if (Kind == AccessKind::Load) {
      const auto Owner = OwnerOf.find(Word);
      return Owner != OwnerOf.end() && Owner->second == Warp;
    }
    const auto [Owner, IsNew] = OwnerOf.insert({Word, Warp});
    if (!IsNew && Owner->second != Warp)
      Owner->second = NoOwner;
    return true;
  }
};

} // namespace

std::vector<uint32_t> gpuocc::barriersOfWarps(const KernelVariant &V) {
  constexpr size_t MostAccesses = 64;
  std::vector<uint32_t> Barriers;
  for (uint32_t I = 0; I != V.Facts.Operations.size(); ++I)
    if (meetsAtBarrier(V.Facts.Operations[I]))
      Barriers.push_back(I);
  size_t Shared = 0;
  for (const MemoryAccess &A : V.Facts.Accesses) {
    if (A.Kind == AccessKind::AsyncCopy || A.Volatile)
      return {};
    if (A.Space == MemorySpace::Shared) {
      if (isAtomic(A.Kind))
        return {};
      ++Shared;
    }
  }
  const uint64_t Threads = V.Launched.threadsPerBlock();
  if (Barriers.empty() || Shared == 0 || Shared > MostAccesses ||
      Threads % WidthOfWarp != 0 || Threads == WidthOfWarp ||
      V.Launched.Cluster.count() != 1 || meetsInArrays(V.Facts) ||
      !Owners(V).find())
    return {};
  return Barriers;
}

void gpuocc::waitInWarp(Operation &Op) {
  for (Emission &E : Op.Emits)
    if (E.Class == InstClass::Barrier)
      E.Class = InstClass::WarpSync;
}

Change gpuocc::joinWarps(std::vector<uint32_t> Barriers) {
  return makeChange(ChangeKind::JoinWarps,
                    [Barriers = std::move(Barriers)](KernelVariant &V) {
                      for (uint32_t I : Barriers)
                        waitInWarp(V.Facts.Operations[I]);
                    });
}
