//===- WalkMemory.h - What a walk wrote to memory ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The contents of the shared memory of the block that is walked, of the local
/// memory of the warp, and of arrays that the block writes to, as far as walks
/// wrote them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WALKMEMORY_H
#define GPUOCC_LIB_LANES_WALK_WALKMEMORY_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <memory>
#include <optional>
#include <tuple>

namespace gpuocc {

class WalkMemory {
public:
  /// A value of up to eight bytes and what it rests on.
  struct Value {
    uint64_t Bits = 0;
    TaintMask Taint = 0;
  };

  /// Values of lanes.
  struct LaneValues {
    std::array<uint64_t, WarpLanes> Bits = {};
    std::array<TaintMask, WarpLanes> Taint = {};
  };

  /// The next walk is of \p Warp. Another block, or one that is walked anew,
  /// starts with nothing in shared memory; local memory is always empty.
  void beginWarp(Dim3 Block, unsigned Warp);

  /// The warps of \p Block are walked twice: the second time each also sees
  /// what those behind it stored the first time. What is stored at unknown
  /// addresses the first time hides nothing.
  void beginRehearsal(Dim3 Block);
  /// The second time begins.
  void endRehearsal();

  /// Has a warp, since construction, found what one behind it had stored?
  bool hasLookedAhead() const { return HasLookedAhead; }

  /// The warp has passed a barrier of its block.
  void passBarrier() {
    ++Epoch;
    findLost();
  }

  void storeShared(uint64_t Address, unsigned Bytes, Value V);
  /// What atomics find and leave. They see each other, also between two
  /// barriers: warps come one after the other.
  std::optional<Value> loadSharedForAtomic(uint64_t Address,
                                           unsigned Bytes) const;
  void storeSharedByAtomic(uint64_t Address, unsigned Bytes, Value V);
  void storeArray(uint64_t Address, unsigned Bytes, Value V);
  void storeLocal(unsigned Lane, uint64_t Address, unsigned Bytes, Value V);
  /// Stores \p Stored of each of \p Lanes at one address.
  void storeLocal(LaneMask Lanes, uint64_t Address, unsigned Bytes,
                  const LaneValue &Stored, TaintMask Taint);

  /// What the warp sees at \p Address: its own last store, or what another warp
  /// of the block stored before the last barrier that both passed; nothing if
  /// no walk has written all of it.
  std::optional<Value> loadShared(uint64_t Address, unsigned Bytes) const;
  std::optional<Value> loadLocal(unsigned Lane, uint64_t Address,
                                 unsigned Bytes) const;
  /// Loads of each of \p Lanes at one address into \p Out, which is empty.
  /// \returns the lanes that have stored all of it; others have parts in \p
  /// Out.
  LaneMask loadLocal(LaneMask Lanes, uint64_t Address, unsigned Bytes,
                     LaneValues &Out) const;

  /// What of an array the warp sees at \p Address, likewise; nothing if no walk
  /// has written there, and a value with UnseenTaint if one wrote a part of it.
  std::optional<Value> loadArray(uint64_t Address, unsigned Bytes) const;

  /// Notes that the warp swaps at \p Address when it comes to \p Access for the
  /// \p Time-th time, as do the \p Alike warps that it stands for.
  /// \returns how many of the \p Warps of its block do, of all others, if these
  /// are like those that were walked before: none for the first of them.
  double noteSwap(uint32_t Access, unsigned Time, uint64_t Address,
                  unsigned Alike, unsigned Warps) {
    WarpsThatSwap &All = NumWarps[{Access, Time}];
    if (All.Last != Warp) {
      All.Before = All.Count;
      All.Count += Alike;
      All.Last = Warp;
    }
    unsigned &Sum = NumSwaps[{Access, Time, Address}];
    const double OfOwn = (Alike - 1) / 2.0;
    const double Walked = All.Before + OfOwn, Here = Sum + OfOwn;
    Sum += Alike;
    if (Walked == 0)
      All.FirstSawNone = true;
    // What the first did not see, the others share.
    const double Others = All.FirstSawNone ? Warps : Warps - 1.0;
    return Walked > 0 ? Others * std::min(1.0, Here / Walked) : 0;
  }

  /// Something was stored at an unknown address.
  void forgetShared();
  void forgetLocal();
  /// The same, somewhere in the array that has \p Address.
  void forgetArray(uint64_t Address);

private:
  /// Stores to a word that other warps may still look for.
  static constexpr size_t MaxVersions = 64;

  /// Four bytes.
  struct Word {
    uint32_t Bits = 0;
    /// The bytes that were ever written.
    uint8_t Written = 0;
    TaintMask Taint = 0;

    void write(unsigned FirstByte, unsigned Bytes, Value V);
  };
  /// A word of several warps after a store.
  struct Version : Word {
    uint32_t Epoch = 0;
    unsigned Warp = 0;
    /// Of the rehearsal; or the warp has since stored at an unknown address:
    /// others see it, the warp itself does not.
    bool IsHidden = false;
  };
  using Versions = llvm::SmallVector<Version, 1>;
  /// The words of all lanes at one address.
  using LocalWords = std::array<Word, WarpLanes>;

  void startBlock();
  bool isVisible(const Version &V) const {
    return V.Warp == Warp ? !V.IsHidden
                          : V.Epoch < Epoch && V.Epoch >= FirstKept;
  }
  void findLost();
  const Version *visible(const Versions &All) const;
  const Version *visibleToAtomic(const Versions &All) const;
  void store(Versions &All, unsigned FirstByte, unsigned Bytes, Value V);
  LocalWords *findLocal(uint64_t Address) const;
  LocalWords &makeLocal(uint64_t Address);
  template <typename FindWord>
  static std::optional<Value> gather(uint64_t Address, unsigned Bytes,
                                     FindWord Find);

  Dim3 Block = {0, 0, 0};
  unsigned Warp = 0;
  uint32_t Epoch = 0;
  /// Is a second walk of the block to come, or under way?
  enum { Alone, Rehearsed, Repeated } Walk = Alone;
  /// Stores at unknown addresses while the walk of a block is repeated: the
  /// warp and what it had passed.
  llvm::SmallVector<std::pair<unsigned, uint32_t>, 4> Forgets;
  /// What others stored before that many barriers may have been overwritten.
  uint32_t FirstKept = 0;
  mutable bool HasLookedAhead = false;
  llvm::DenseMap<uint64_t, Versions> Shared;
  llvm::DenseMap<uint64_t, Versions> Arrays;
  /// The windows of arrays of which nothing is known any more.
  llvm::DenseSet<uint64_t> LostArrays;
  llvm::DenseMap<uint64_t, std::unique_ptr<LocalWords>> Local;
  /// What was asked for last: lanes mostly ask for one address.
  mutable std::pair<uint64_t, LocalWords *> LastLocal = {0, nullptr};
  /// By access, time and address: warps of the block that swapped there.
  llvm::DenseMap<std::tuple<uint32_t, unsigned, uint64_t>, unsigned> NumSwaps;
  /// Warps of the block that have come to an access for the n-th time.
  struct WarpsThatSwap {
    unsigned Count = 0;
    /// The one that came last, and those before it.
    std::optional<unsigned> Last;
    unsigned Before = 0;
    bool FirstSawNone = false;
  };
  llvm::DenseMap<std::pair<uint32_t, unsigned>, WarpsThatSwap> NumWarps;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WALKMEMORY_H
