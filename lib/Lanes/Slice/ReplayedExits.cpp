//===- ReplayedExits.cpp - Exits computed without the loop ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/ReplayedExits.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The result follows from the operands of the lane alone.
static bool isPure(const SliceOp &Op) {
  return Op.What != Semantics::Opaque && Op.What != Semantics::Load &&
         !asksOtherLanes(Op.What) && Op.Guard == NoIndex && !Op.Traits.Data &&
         !Op.Traits.Opaque && !Op.Traits.Chosen;
}

namespace {

/// Collects what the exits of one loop are made of.
class ReplayFinder {
public:
  ReplayFinder(const KernelFacts &Facts, const Slice &S, uint32_t Loop,
               ArrayRef<uint32_t> MakerOf)
      : Facts(Facts), S(S), Loop(Loop), MakerOf(MakerOf),
        Phis(S.Blocks[Facts.Loops[Loop].Header].Phis) {}

  bool addExit(const LoopExit &Exit, uint32_t Index) {
    const Branch &B = Facts.Branches[Exit.Branch];
    if (B.Indexed)
      return false;
    LoopReplay::Exit Out;
    Out.Index = Index;
    Out.Condition =
        Exit.Known == NoIndex ? S.Blocks[Exit.Block].Condition : Exit.Known;
    Out.StayIfHolds =
        Exit.Known == NoIndex ? Exit.StayIfTrue != B.Negated : Exit.StayIfKnown;
    Found.Exits.push_back(Out);
    return Out.Condition != NoIndex && collect(Out.Condition);
  }

  /// What was collected with what the phis take to the next iteration.
  std::optional<LoopReplay> finish() {
    for (size_t I = 0; I < Found.Phis.size(); ++I)
      if (!collect(Found.Phis[I].second))
        return std::nullopt;
    return std::move(Found);
  }

private:
  /// Larger expressions are walked.
  static constexpr unsigned MaxOps = 64;

  bool collect(uint32_t Slot) {
    const auto *Phi =
        find_if(Phis, [&](const SlicePhi &P) { return P.Dst == Slot; });
    if (Phi != Phis.end())
      return collectPhi(*Phi);
    if (Slot >= MakerOf.size() || MakerOf[Slot] == NoIndex)
      return !isPhiInside(Slot);
    const uint32_t Index = MakerOf[Slot];
    const SliceOp &Op = S.Ops[Index];
    const uint32_t Block = Facts.Operations[Op.Op].Block;
    if (!S.contains(Loop, Block) || is_contained(Found.Ops, Index))
      return true;
    if (S.Nest.innermost(Block) != Loop || !isPure(Op) || ++NumOps > MaxOps)
      return false;
    if (!all_of(Op.Src, [&](uint32_t Source) { return collect(Source); }))
      return false;
    Found.Ops.push_back(Index);
    return true;
  }

  bool collectPhi(const SlicePhi &Phi) {
    const auto IsSame = [&](const auto &Known) {
      return Known.first == Phi.Dst;
    };
    if (any_of(Found.Phis, IsSame))
      return true;
    uint32_t Next = NoIndex;
    for (auto [Pred, Slot] : Phi.In) {
      if (!S.contains(Loop, Pred))
        continue;
      if (Next != NoIndex && Next != Slot)
        return false;
      Next = Slot;
    }
    if (Next == NoIndex)
      return false;
    Found.Phis.push_back({Phi.Dst, Next});
    return true;
  }

  /// Where lanes or inner iterations meet, the way they took decides.
  bool isPhiInside(uint32_t Slot) const {
    return any_of(Facts.Loops[Loop].Blocks, [&](uint32_t Block) {
      return Block < S.Blocks.size() &&
             any_of(
                 S.Blocks[Block].Phis,
                 [&](const SlicePhi &P) { return P.Dst == Slot; });
    });
  }

  const KernelFacts &Facts;
  const Slice &S;
  uint32_t Loop;
  ArrayRef<uint32_t> MakerOf;
  ArrayRef<SlicePhi> Phis;
  LoopReplay Found;
  unsigned NumOps = 0;
};

} // namespace

void gpuocc::findReplayedExits(const KernelFacts &Facts, Slice &S) {
  std::vector<uint32_t> MakerOf(S.NumSlots, NoIndex);
  for (const auto &[Index, Op] : enumerate(S.Ops))
    for (unsigned Result = 0; Result < Op.NumResults; ++Result)
      MakerOf[Op.Dst + Result] = uint32_t(Index);
  for (uint32_t L = 0; L < S.Loops.size(); ++L) {
    if (Facts.Loops[L].Header >= S.Blocks.size())
      continue;
    LoopForm &Form = S.Loops[L];
    auto Find = [&](bool WithBounds) -> std::optional<LoopReplay> {
      ReplayFinder Finder(Facts, S, L, MakerOf);
      bool Needed = false;
      for (const auto &[Index, Exit] : enumerate(Form.Exits)) {
        if (Exit.Data || Exit.Swap != NoIndex ||
            (Exit.Affine && !(WithBounds && Exit.IsBound)))
          continue;
        Needed = true;
        if (Exit.IsGuarded || !Finder.addExit(Exit, uint32_t(Index)))
          return std::nullopt;
      }
      return Needed ? Finder.finish() : std::nullopt;
    };
    if (any_of(Form.Exits, [](const LoopExit &E) { return E.IsBound; }))
      if (Form.Replay = Find(/*WithBounds=*/true); Form.Replay)
        Form.Replay->HasBounds = true;
    if (!Form.Replay)
      Form.Replay = Find(/*WithBounds=*/false);
  }
}
