//===- Slice.h - The operations that control and addresses need -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The backward closure of branch conditions, guards and addresses, laid out
/// for the evaluator: operands are slots, loops carry their closed forms.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_SLICE_H
#define GPUOCC_LIB_LANES_SLICE_SLICE_H

#include "Analysis/FollowedMemory.h"
#include "Analysis/LoopNest.h"
#include "Analysis/ParameterRoles.h"
#include "Analysis/RecordTurns.h"
#include "Analysis/RecordedMemory.h"
#include "Analysis/StaticTraits.h"
#include "Guess/Guessers.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpuocc {

/// An operation of the slice; slots index the values of a walk.
struct SliceOp {
  uint32_t Op = NoIndex;
  Semantics What = Semantics::Opaque;
  uint8_t Bits = 32;
  uint8_t FromBits = 0;
  uint8_t NumResults = 1;
  /// Used outside the innermost loop that contains it: lanes that left the
  /// loop keep their value.
  bool LivesOutOfLoop = false;
  /// An address is formed by adding to this 64-bit value.
  bool IsPointerRoot = false;
  /// A load whose value is looked up in what the walk stored.
  bool IsFollowed = false;
  /// A load whose value is looked up in what the launch says of memory.
  bool IsRecorded = false;
  /// Loads: MemoryAccess::SignExtendedTo.
  uint8_t SignExtendedTo = 0;
  /// An atomic that hands out numbers; the addend or limit is Src[1].
  bool IsCounter = false;
  /// A loaded value that is taken apart: any bit may be set.
  bool IsBitField = false;
  /// A load of an offset that runs of lanes have in common (RunOffsets.h).
  bool IsRunOffset = false;
  /// Slot of the length of the rows that a loaded number counts; NoIndex for
  /// none.
  uint32_t RowLength = NoIndex;
  /// The compare-and-swap whose success is asked for (see SwapTest.h).
  uint32_t Swap = NoIndex;
  /// An argument of a mathematical function: what is unknown of it is drawn
  /// from the numbers between 0 and 1.
  bool IsMathArgument = false;
  /// Slots of the operands of a division or root that decide whether it takes a
  /// slow path (SlowPath.h), which need not be evaluated itself.
  llvm::SmallVector<uint32_t, 2> PathOperands;
  SpecialReg SReg = SpecialReg::None;
  ComparePredicate Compare = ComparePredicate::Other;
  ShuffleKind Shuffle = ShuffleKind::None;
  /// Of comparisons: how often they hold where that is unknown, for all lanes
  /// of a warp alike or not, and that they need not be drawn, since what they
  /// compare was.
  double HoldsShare = 0.5;
  bool HoldsForWarp = false;
  bool OfConditions = false;
  StaticTraits Traits;
  int64_t Imm = 0;
  /// First of NumResults slots.
  uint32_t Dst = NoIndex;
  uint32_t Guard = NoIndex;
  bool GuardNegated = false;
  llvm::SmallVector<uint32_t, 4> Src;
  /// Outermost loop that contains a source but not this operation.
  uint32_t LeavesLoop = NoIndex;
};

struct SlicePhi {
  uint32_t Op = NoIndex;
  uint32_t Dst = NoIndex;
  /// Used outside the innermost loop that contains it.
  bool LivesOutOfLoop = false;
  /// (predecessor block, slot).
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 2> In;
};

/// A memory access as the walker sees it.
struct SliceAccess {
  uint32_t Base = NoIndex;
  uint32_t SharedBase = NoIndex;
  /// MemoryAccess::BytesOperand.
  uint32_t Bytes = NoIndex;
  uint32_t Guard = NoIndex;
  bool GuardNegated = false;
  /// The contents of what is accessed are followed (see FollowedMemory.h), and
  /// lie in local memory.
  bool IsFollowed = false;
  bool IsLocal = false;
  /// What a followed atomic makes of what was there and of Stored.
  FollowedAtomic Atomic = FollowedAtomic::None;
  /// Writes to a recorded array what a later load may find.
  bool Overwrites = false;
  /// The address has an offset that runs of lanes have in common.
  bool IsInRuns = false;
  /// Tried until it takes place.
  bool IsRetried = false;
  /// The values of a followed or overwriting store.
  llvm::SmallVector<uint32_t, 1> Stored;
};

/// One thing to do in a block: evaluate Ops[Index], record access Index, or
/// pass a barrier.
struct SliceStep {
  enum Kind : uint32_t { Evaluate, Access, Barrier };
  Kind What = Evaluate;
  uint32_t Index = 0;
};
static_assert(std::has_unique_object_representations_v<SliceStep>);

/// What lanes know of a loaded number once they have taken one side of a branch
/// that compares it with a bound.
struct SliceBound {
  /// Slots.
  uint32_t Value = NoIndex, Limit = NoIndex;
  /// The number is below the limit where the condition holds, or where it does
  /// not; or equal to it.
  bool IfHolds = true;
  bool OrEqual = false;
};

struct SliceBlock {
  std::vector<SlicePhi> Phis;
  std::vector<SliceStep> Steps;
  /// Slot of the branch condition.
  uint32_t Condition = NoIndex;
  /// Lanes that took one side are below a bound.
  std::optional<SliceBound> Bound;
  /// It is decided, not evaluated: it rests on loaded or not evaluated values.
  bool ConditionIsData = false;
  /// It is the same for all threads of a block, and may not be in others.
  bool IsOfBlock = false;
  /// A guess of the share in which it takes the first target, if it is decided.
  std::optional<Guess> Probability;
  /// It replaces the best value so far, if it is decided.
  std::optional<RecordTurns> Record;
  /// Loop whose header this block is.
  uint32_t HeaderOf = NoIndex;
  /// Loops around the block that one of its two sides leaves.
  llvm::SmallVector<uint32_t, 2> Leaves;
};

/// A branch that can leave a loop.
struct LoopExit {
  uint32_t Block = NoIndex;
  uint32_t Branch = NoIndex;
  /// The loop goes on when the condition is true.
  bool StayIfTrue = true;
  /// Rests on loaded or not evaluated values, and may differ between lanes.
  bool Data = false;
  bool Varying = false;
  /// How often it leaves, where that is unknown.
  double LeaveShare = 0.5;
  /// Data may end the loop here before a condition that is evaluated does: the
  /// slot of that, and what it holds while the loop goes on.
  uint32_t Known = NoIndex;
  bool StayIfKnown = true;
  /// The compare-and-swap with whose success a lane leaves.
  uint32_t Swap = NoIndex;
  /// A comparison of values that are affine in the iteration number.
  bool Affine = false;
  /// Data most likely ends the loop here, before a compare-and-swap that ends
  /// it where it takes place.
  bool IsBeforeSwap = false;
  /// It has to hold for the loop to go on, beside other conditions that are
  /// evaluated and may end it before.
  bool IsBound = false;
  /// Turns of the loop may go on without getting to it.
  bool IsGuarded = false;
  uint32_t Left = NoIndex, Right = NoIndex;
  /// Holds while the loop goes on.
  ComparePredicate Stay = ComparePredicate::Other;
  uint8_t Bits = 32;

  /// Data decides, but most likely to leave.
  bool leavesSoon() const { return Data && LeaveShare > 0.5; }
};

/// What the exits of a loop that are neither affine nor data are made of, where
/// that can be computed without the rest of the body.
struct LoopReplay {
  struct Exit {
    /// In LoopForm::Exits.
    uint32_t Index = NoIndex;
    /// Slot of what decides, and what it holds while the loop goes on.
    uint32_t Condition = NoIndex;
    bool StayIfHolds = true;
  };
  std::vector<Exit> Exits;
  /// Indices in Slice::Ops, operands first.
  std::vector<uint32_t> Ops;
  /// Slots of phis of the header, and of what they are in the next iteration.
  std::vector<std::pair<uint32_t, uint32_t>> Phis;
  /// The conditions beside those that bound the loop (LoopExit::IsBound) are
  /// among the exits.
  bool HasBounds = false;
};

/// How the values of a loop change from iteration to iteration.
struct LoopForm {
  /// Indices in SliceBlock::Phis of the header: those that grow by the same
  /// amount in every iteration.
  llvm::SmallVector<uint32_t, 4> AffinePhis;
  /// All phis of the header that the slice needs are affine or rest on data.
  bool AllAffine = true;
  /// Turns go to global memory at places that do not move on evenly
  /// (JumpingPlaces.h). Known where not AllAffine.
  bool Jumps = false;
  /// Which lanes go where in it, or how often a loop inside turns, rests on how
  /// often this one did: its turns are not alike.
  bool IsUneven = false;
  /// The header tests and another block goes back: the last execution of the
  /// header runs no body.
  bool TopTest = false;
  /// Blocks look for what those before them have summed up (PolledLoops.h): who
  /// ends it is a guess, whatever else bounds it.
  bool LooksBack = false;
  llvm::SmallVector<LoopExit, 2> Exits;
  std::optional<LoopReplay> Replay;
};

/// The slice of a kernel.
struct Slice {
  std::vector<SliceOp> Ops;
  std::vector<SliceBlock> Blocks;
  std::vector<SliceAccess> Accesses;
  std::vector<LoopForm> Loops;
  uint32_t NumSlots = 0;
  /// Some access is followed.
  bool FollowsMemory = false;
  /// Slots of immediates and of undefined operands.
  std::vector<std::pair<uint32_t, int64_t>> Constants;
  std::vector<uint32_t> Undefined;
  /// Slots of Symbol operands.
  std::vector<std::pair<uint32_t, uint32_t>> Symbols;
  /// What the code does with each parameter, by its offset.
  std::map<int64_t, ParameterRole> Roles;
  /// The grid dimensions that the slice reads.
  bool UsesCtaId[3] = {false, false, false};

  LoopNest Nest;
  /// What unknown values are taken to do.
  Mechanisms Used;

  /// Is block \p Block inside loop \p Loop or a loop in it?
  bool contains(uint32_t Loop, uint32_t Block) const {
    return Nest.contains(Loop, Block);
  }
};

/// Cuts the slice out of \p Facts, where loads of \p Recorded arrays are
/// looked up.
/// Unknown values have the odds and roles that \p Used names.
/// Malformed indices are dropped, not trusted.
Slice sliceKernel(const KernelFacts &Facts, const RecordedArrays &Recorded,
                  const Mechanisms &Used = {});

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_SLICE_H
