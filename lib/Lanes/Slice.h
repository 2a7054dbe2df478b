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

#ifndef GPUOCC_LIB_LANES_SLICE_H
#define GPUOCC_LIB_LANES_SLICE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <set>
#include <utility>
#include <vector>

namespace gpuocc {

/// What is known about a value without evaluating it.
struct StaticTraits {
  /// May differ between lanes.
  bool Varying = false;
  /// Rests on a value read from memory.
  bool Data = false;
  /// Rests on an operation that is not evaluated.
  bool Opaque = false;
  /// Branches or loop exits that rest on either decide which of several values
  /// it is.
  bool Chosen = false;
  bool operator==(const StaticTraits &) const = default;
};

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
  SpecialReg SReg = SpecialReg::None;
  ComparePredicate Compare = ComparePredicate::Other;
  ShuffleKind Shuffle = ShuffleKind::None;
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

/// Is \p What one of the floating-point rows of Semantics.def?
bool isFloatingPoint(Semantics What);

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
  uint32_t Guard = NoIndex;
  bool GuardNegated = false;
};

/// One thing to do in a block: evaluate Ops[Index] or record access Index.
struct SliceStep {
  bool IsAccess = false;
  uint32_t Index = 0;
};

struct SliceBlock {
  std::vector<SlicePhi> Phis;
  std::vector<SliceStep> Steps;
  /// Slot of the branch condition.
  uint32_t Condition = NoIndex;
  /// Loop whose header this block is.
  uint32_t HeaderOf = NoIndex;
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
  /// A comparison of values that are affine in the iteration number.
  bool Affine = false;
  uint32_t Left = NoIndex, Right = NoIndex;
  /// Holds while the loop goes on.
  ComparePredicate Stay = ComparePredicate::Other;
  uint8_t Bits = 32;
};

/// How the values of a loop change from iteration to iteration.
struct LoopForm {
  /// Indices in SliceBlock::Phis of the header: those that grow by the same
  /// amount in every iteration.
  llvm::SmallVector<uint32_t, 4> AffinePhis;
  /// All phis of the header that the slice needs are affine or rest on data.
  bool AllAffine = true;
  /// The header tests and another block goes back: the last execution of the
  /// header runs no body.
  bool TopTest = false;
  llvm::SmallVector<LoopExit, 2> Exits;
};

/// The slice of a kernel.
struct Slice {
  std::vector<SliceOp> Ops;
  std::vector<SliceBlock> Blocks;
  std::vector<SliceAccess> Accesses;
  std::vector<LoopForm> Loops;
  uint32_t NumSlots = 0;
  /// Slots of immediates and of undefined operands.
  std::vector<std::pair<uint32_t, int64_t>> Constants;
  std::vector<uint32_t> Undefined;
  /// Slots of Symbol operands.
  std::vector<std::pair<uint32_t, uint32_t>> Symbols;
  /// Offsets of parameters that are only ever added to something that differs
  /// between lanes: starts of ranges, not extents.
  std::set<int64_t> OffsetParameters;
  /// The grid dimensions that the slice reads.
  bool UsesCtaId[3] = {false, false, false};

  /// Is block \p Block inside loop \p Loop or a loop in it?
  bool contains(uint32_t Loop, uint32_t Block) const;

  /// Innermost loop of each block and parent of each loop, for contains().
  std::vector<uint32_t> InnermostLoop, LoopParent;
};

/// Cuts the slice out of \p Facts. Malformed indices are dropped, not trusted.
Slice sliceKernel(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_H
