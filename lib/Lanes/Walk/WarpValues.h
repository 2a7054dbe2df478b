//===- WarpValues.h - The values of one warp --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WARPVALUES_H
#define GPUOCC_LIB_LANES_WALK_WARPVALUES_H

#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/Quota.h"
#include "Walk/SwapTurns.h"
#include "Walk/WalkEvents.h"
#include "Walk/WalkMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// What the way that lanes have taken rests on.
struct ControlTaint {
  TaintMask Base = 0, Shape = 0;
  TaintMask all() const { return Base | Shape; }
};

/// The lanes that evaluate something.
struct WalkingLanes {
  /// Those that are there, and those of the warp that have not ended.
  LaneMask Here = 0, Alive = 0;
  ControlTaint Control;
};

/// The slots of a slice while a warp walks through it, and how its operations
/// fill them. Unknown values are made up.
class WarpValues {
public:
  WarpValues(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
             WalkMemory &Memory);

  /// Another warp begins.
  void beginWarp(Dim3 BlockIndex, unsigned WarpInBlock);

  const LaneValue &operator[](uint32_t Slot) const { return Slots[Slot]; }
  LaneValue &operator[](uint32_t Slot) { return Slots[Slot]; }

  /// Computes the results of \p Op in \p Lanes.
  void evaluate(const SliceOp &Op, const WalkingLanes &Lanes);

  /// The lanes of \p Mask in which the condition \p Slot holds, or does not.
  LaneMask lanesWhere(uint32_t Slot, bool Negated, LaneMask Mask) const;

  /// The lanes \p Mask are below the limit of \p Bound: what was drawn above it
  /// is drawn again below.
  void narrow(const SliceBound &Bound, LaneMask Mask);

  /// Sets the address of access \p E. One that loaded data chooses is moved to
  /// the places that the launch gives, or into the memory where its size is
  /// known (shared and local memory); others stay as they are.
  void findAddress(AccessEvent &E);

  /// The compare-and-swap \p E is tried for the \p Turn-th time, from 1.
  void swap(const AccessEvent &E, uint64_t Turn);
  void setAlike(unsigned Warps) { Swaps.setAlike(Warps); }
  /// The turn in which that of \p Lane takes place.
  uint64_t swapTurn(uint32_t Access, unsigned Lane) const {
    return Swaps.turnOf(Access, Lane);
  }

  /// Writes what the followed store or atomic \p E writes in \p Lanes, also
  /// those that another lane acts for.
  void store(const AccessEvent &E, LaneMask Lanes, const ControlTaint &Control);

  /// Notes what \p E, a store or an atomic, writes to a recorded array.
  void overwrite(const AccessEvent &E, const ControlTaint &Control);

  /// Lanes have left loop \p L, whose exits rested on \p Exits.
  void leaveLoop(uint32_t L, const ControlTaint &Exits) {
    LeftLoop[L].Base |= Exits.Base;
    LeftLoop[L].Shape |= Exits.Shape;
  }

  /// What restore() takes back: slots, and loops that were left.
  struct Saved {
    std::vector<LaneValue> Slots;
    std::vector<ControlTaint> LeftLoop;
  };
  Saved save() const { return {Slots, LeftLoop}; }
  void restore(const Saved &Before) {
    // Copied: callers hold references to elements.
    Slots = Before.Slots;
    LeftLoop = Before.LeftLoop;
  }
  size_t numSlots() const { return Slots.size(); }

private:
  using Operands = llvm::ArrayRef<const LaneValue *>;

  void compute(const SliceOp &Op, unsigned Result, Operands O,
               const WalkingLanes &Lanes, LaneValue &Out);
  void load(const SliceOp &Op, unsigned Result, LaneMask Mask, LaneValue &Out);
  void loadEach(const SliceOp &Op, unsigned Result, LaneMask Mask,
                LaneValue &Out);
  std::optional<WalkMemory::Value> recordedWord(uint64_t At,
                                                unsigned Bytes) const;
  /// What lane \p Lane of the warp read at \p At when the kernel ran; nothing
  /// where that was not kept.
  std::optional<WalkMemory::Value> seenWord(unsigned Lane, uint64_t At,
                                            unsigned Bytes);
  bool readRecorded(const SliceOp &Op, unsigned Result, LaneMask Mask,
                    LaneValue &Out);
  void makeUpLoaded(const SliceOp &Op, unsigned Result, LaneValue &Out);
  void lookUp(const SliceOp &Op, unsigned Result, LaneMask Mask,
              LaneValue &Out);
  void lookUpLocal(const SliceOp &Op, uint64_t At, unsigned Bytes,
                   LaneMask Mask, LaneValue &Out);
  void changeShared(const AccessEvent &E, LaneMask Lanes,
                    const ControlTaint &Control);
  void testSwap(const SliceOp &Op, LaneValue &Out) const;
  void takeNumber(const SliceOp &Op, LaneMask Mask, LaneValue &Out);
  void makeUpOpaque(const SliceOp &Op, unsigned Result, LaneValue &Out);
  bool isDecidedByChance(const SliceOp &Op, const LaneValue &Out) const;
  void flipCoins(const SliceOp &Op, Operands O, LaneValue &Out);
  void drawCondition(const SliceOp &Op, uint64_t Key, LaneValue &Out);
  void drawNumbers(const SliceOp &Op, LaneValue &Out);

  const KernelFacts &Facts;
  const Slice &S;
  LaunchInputs &Inputs;
  WalkMemory &Memory;
  std::vector<LaneValue> Slots;
  /// What the exits of each loop rested on so far.
  std::vector<ControlTaint> LeftLoop;
  SwapTurns Swaps;
  /// By access: the turn that its compare-and-swap is in.
  std::vector<uint64_t> SwapTurn;
  /// Of the comparison that has each slot.
  std::vector<Quota> ComparisonHolds;
  /// How often a lane has read at an address what was seen when the kernel ran.
  llvm::DenseMap<std::pair<uint64_t, unsigned>, unsigned> TimesRead;
  /// How often the warp executed the counter that has each slot.
  std::vector<uint64_t> NumbersTaken;
  /// Accesses to shared memory of any block of the cluster.
  std::vector<bool> OfCluster;
  /// The address that findAddress() has moved.
  LaneValue Inside;
  Dim3 BlockIndex;
  unsigned WarpInBlock = 0;
  uint64_t Coins = 0, WarpKey = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WARPVALUES_H
