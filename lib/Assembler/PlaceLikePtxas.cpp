//===- PlaceLikePtxas.cpp - Jumps that the order of blocks saves ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A jump to a block that can be placed right behind costs nothing: each block
/// gets the most frequent such predecessor as its fall-through. A block that
/// ends with a conditional branch may be followed by either successor; one that
/// has no choice goes first. Blocks are not taken to be in the order of the
/// code that is read, which the code generator changes yet: of equals the first
/// in layout order wins, and a block that went on without a jump may need one.
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/LowerLikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

class JumpPlacer {
public:
  explicit JumpPlacer(KernelFacts &Facts)
      : Facts(Facts), IsFollowed(Facts.Blocks.size()) {}

  void run() {
    std::vector<Jump> Jumps;
    for (auto [Rank, Block] : enumerate(layoutOrder()))
      if (std::optional<Jump> New = jumpOf(Block, uint32_t(Rank)))
        Jumps.push_back(std::move(*New));
    llvm::sort(Jumps, [](const Jump &A, const Jump &B) {
      return std::tuple(B.Depth, A.Targets.size(), A.Rank) <
             std::tuple(A.Depth, B.Targets.size(), B.Rank);
    });
    for (const Jump &J : Jumps) {
      const uint32_t *Next = find_if(
          J.Targets, [&](uint32_t Target) { return !IsFollowed[Target]; });
      const bool IsFree = Next != J.Targets.end();
      if (IsFree)
        IsFollowed[*Next] = true;
      place(J, IsFree);
    }
  }

private:
  /// The end of a block that goes on without a condition.
  struct Jump {
    uint32_t Op; ///< The last operation of the block.
    uint32_t Rank, Depth;
    SmallVector<uint32_t, 2> Targets;
  };

  KernelFacts &Facts;
  std::vector<bool> IsFollowed;

  void place(const Jump &J, bool IsFree) {
    Operation &Last = Facts.Operations[J.Op];
    if (IsFree && isJump(Last))
      Last.Emits.clear();
    else if (!IsFree && !isJump(Last))
      Last.Emits.push_back({InstClass::Branch, 1, 0});
  }

  /// The branch of two sides that ends \p Block, or null.
  const gpuocc::Branch *branchOf(uint32_t Block) const {
    const uint32_t Index = Facts.Blocks[Block].Branch;
    if (Index == NoIndex)
      return nullptr;
    const gpuocc::Branch &Br = Facts.Branches[Index];
    return !Br.Indexed && Br.Targets.size() == 2 ? &Br : nullptr;
  }

  /// The successors of \p Block, of a branch the taken side first.
  ArrayRef<uint32_t> successors(uint32_t Block) const {
    const gpuocc::Branch *Br = branchOf(Block);
    return Br ? ArrayRef<uint32_t>(Br->Targets)
              : ArrayRef<uint32_t>(Facts.Blocks[Block].Successors);
  }

  /// Blocks in reverse post order, behind a branch the side that it does not
  /// take.
  std::vector<uint32_t> layoutOrder() const {
    std::vector<uint32_t> Order;
    if (Facts.Blocks.empty())
      return Order;
    std::vector<bool> Seen(Facts.Blocks.size());
    std::vector<std::pair<uint32_t, size_t>> Open = {{0, 0}};
    Seen[0] = true;
    while (!Open.empty()) {
      auto &[Block, Next] = Open.back();
      const ArrayRef<uint32_t> Successors = successors(Block);
      if (Next == Successors.size()) {
        Order.push_back(Block);
        Open.pop_back();
      } else if (const uint32_t S = Successors[Next++]; !Seen[S]) {
        Seen[S] = true;
        Open.push_back({S, 0});
      }
    }
    std::reverse(Order.begin(), Order.end());
    return Order;
  }

  bool isInLoop(uint32_t Block, uint32_t Loop) const {
    for (uint32_t L = Facts.Blocks[Block].Loop; L != NoIndex;
         L = Facts.Loops[L].Parent)
      if (L == Loop)
        return true;
    return false;
  }

  /// Does an edge between two blocks close a loop?
  bool closesLoop(uint32_t From, uint32_t To) const {
    const uint32_t L = Facts.Blocks[To].Loop;
    return L != NoIndex && Facts.Loops[L].Header == To && isInLoop(From, L);
  }

  /// Whether the jump behind the conditional branch of \p From is none: the
  /// opposite branch closes a loop, and a loop is left once.
  bool endsLoopPass(uint32_t From, uint32_t To) const {
    const uint32_t L = Facts.Blocks[From].Loop;
    return closesLoop(From, To) || (L != NoIndex && !isInLoop(To, L));
  }

  /// Nothing where \p Block does not compete for being followed.
  std::optional<Jump> jumpOf(uint32_t Block, uint32_t Rank) {
    const gpuocc::BasicBlock &B = Facts.Blocks[Block];
    const gpuocc::Branch *Br = branchOf(Block);
    if (B.PredicatedInto != NoIndex || B.NumOps == 0 ||
        (!Br && B.Successors.size() != 1))
      return std::nullopt;
    const uint32_t To = Br ? Br->Targets[1] : B.Successors[0];
    Jump New{B.FirstOp + B.NumOps - 1,
             Rank,
             B.Loop == NoIndex ? 0 : Facts.Loops[B.Loop].Depth,
             {}};
    if (Br && endsLoopPass(Block, To)) {
      place(New, /*IsFree=*/true);
      return std::nullopt;
    }
    if (!closesLoop(Block, To))
      New.Targets.push_back(To);
    if (Br && !closesLoop(Block, Br->Targets[0]))
      New.Targets.push_back(Br->Targets[0]);
    return New;
  }
};

} // namespace

bool gpuocc::isJump(const Operation &Op) {
  return Op.Emits.size() == 1 && Op.Emits[0].Class == InstClass::Branch &&
         Op.Operands.empty();
}

uint32_t gpuocc::lastOpBefore(const KernelFacts &Facts, const gpuocc::Loop &L) {
  for (uint32_t I = 0; I != Facts.Blocks.size(); ++I) {
    const gpuocc::BasicBlock &B = Facts.Blocks[I];
    if (!is_contained(L.Blocks, I) && is_contained(B.Successors, L.Header) &&
        B.NumOps)
      return B.FirstOp + B.NumOps - 1;
  }
  return NoIndex;
}

void gpuocc::placeJumpsLikePtxas(KernelFacts &Facts) {
  JumpPlacer(Facts).run();
}
