//===- JoinViews.cpp - Machine code and compiler's view of a kernel -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/JoinViews/JoinViews.h"
#include "gpuocc/Kernel/Dominators.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {

class Joiner {
public:
  Joiner(const KernelFacts &Mir, KernelFacts &Sass) : Mir(Mir), Sass(Sass) {}

  ViewJoin run() {
    describe();
    indexOrigins();
    joinOps();
    findCold();
    joinBranches();
    joinLoops();
    joinAccesses();
    measure();
    return std::move(Join);
  }

private:
  const KernelFacts &Mir;
  KernelFacts &Sass;
  ViewJoin Join;
  /// Operations of the MIR view by their origin.
  std::map<uint32_t, SmallVector<uint32_t, 2>> ByOrigin;

  void describe() {
    Sass.Demangled = Mir.Demangled;
    Sass.Architecture = Mir.Architecture;
    Sass.Place = Mir.Place;
    Sass.Bounds = Mir.Bounds;
    Sass.Parameters = Mir.Parameters;
    Sass.Symbols = Mir.Symbols;
    Sass.StaticSharedBytes = Mir.StaticSharedBytes;
    Sass.UsesDynamicShared = Mir.UsesDynamicShared;
    Sass.Resources = Mir.Resources;
    Sass.LimitedResources = Mir.LimitedResources;
    Sass.Locations = Mir.Locations;
    Sass.Gaps.insert(Sass.Gaps.begin(), Mir.Gaps.begin(), Mir.Gaps.end());
  }

  void indexOrigins() {
    for (uint32_t I = 0; I != Mir.Operations.size(); ++I)
      if (Mir.Operations[I].Origin != NoIndex)
        ByOrigin[Mir.Operations[I].Origin].push_back(I);
  }

  ArrayRef<uint32_t> originsOf(const Operation &Op) const {
    auto It = ByOrigin.find(Op.Origin);
    if (It == ByOrigin.end())
      return {};
    return It->second;
  }

  void joinOps() {
    for (Operation &Op : Sass.Operations) {
      uint32_t Block = NoIndex;
      for (uint32_t Origin : originsOf(Op)) {
        const Operation &From = Mir.Operations[Origin];
        if (Op.Location == NoIndex)
          Op.Location = From.Location;
        if (Block == NoIndex) {
          Block = From.Block;
        } else if (Block != From.Block) {
          Block = NoIndex;
          break;
        }
      }
      Join.BlockOfOp.push_back(Block);
    }
  }

  /// The branch of the MIR view that \p Op was made from.
  uint32_t branchOf(const Operation &Op) const {
    for (uint32_t Origin : originsOf(Op)) {
      uint32_t Block = Mir.Operations[Origin].Block;
      uint32_t Branch = Mir.Blocks[Block].Branch;
      if (Branch != NoIndex && Mir.Branches[Branch].Op == Origin)
        return Branch;
    }
    return NoIndex;
  }

  void joinBranches() {
    for (const gpuocc::Branch &B : Sass.Branches)
      Join.Branch.push_back(branchOf(Sass.Operations[B.Op]));
  }

  static bool startsWith(const Operation &Op, StringRef Text) {
    return StringRef(Op.Opcode).starts_with(Text);
  }

  const Operation *lastOf(uint32_t Block) const {
    const gpuocc::BasicBlock &B = Sass.Blocks[Block];
    return B.NumOps ? &Sass.Operations[B.FirstOp + B.NumOps - 1] : nullptr;
  }

  /// True for blocks that call what the assembler adds by itself.
  bool callsSlowPath(uint32_t Block) const {
    const Operation *Last = lastOf(Block);
    return Last && startsWith(*Last, "CALL");
  }

  /// A branch of the assembler's own with a call on one side only: the side of
  /// the call is the one that it avoids. BRA.DIV leaves for lanes that are not
  /// together.
  void findCold() {
    BlockGraph Warm = graphOf(Sass);
    for (const gpuocc::Branch &B : Sass.Branches) {
      const Operation &Op = Sass.Operations[B.Op];
      if (B.Targets.size() != 2)
        continue;
      std::optional<uint32_t> Avoided;
      if (startsWith(Op, "BRA.DIV"))
        Avoided = B.Targets[0];
      else if (startsWith(Op, "BRA") && branchOf(Op) == NoIndex)
        for (unsigned Side : {0u, 1u})
          if (callsSlowPath(B.Targets[Side]) &&
              !callsSlowPath(B.Targets[1 - Side]))
            Avoided = B.Targets[Side];
      if (Avoided)
        erase(Warm[B.Block], *Avoided);
    }
    Join.IsCold.assign(Sass.Blocks.size(), true);
    for (uint32_t B : reversePostOrder(Warm))
      Join.IsCold[B] = false;
  }

  /// The loop of the MIR view that most operations of \p L outside of its
  /// inner loops come from; the branch that closes it counts most.
  uint32_t loopOf(uint32_t L) const {
    std::map<uint32_t, unsigned> Votes;
    for (uint32_t Block : Sass.Loops[L].Blocks) {
      if (Sass.Blocks[Block].Loop != L || Join.IsCold[Block])
        continue;
      const gpuocc::BasicBlock &B = Sass.Blocks[Block];
      for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
        if (Join.BlockOfOp[I] != NoIndex)
          ++Votes[Mir.Blocks[Join.BlockOfOp[I]].Loop];
    }
    for (uint32_t Latch : Sass.Loops[L].Latches)
      if (uint32_t Br = Sass.Blocks[Latch].Branch;
          Br != NoIndex && Join.Branch[Br] != NoIndex)
        if (uint32_t Loop =
                Mir.Blocks[Mir.Branches[Join.Branch[Br]].Block].Loop;
            Loop != NoIndex && Votes.count(Loop))
          return Loop;
    Votes.erase(NoIndex);
    uint32_t Best = NoIndex;
    unsigned Most = 0;
    for (auto [Loop, Count] : Votes)
      if (Count > Most) {
        Best = Loop;
        Most = Count;
      }
    return Best;
  }

  /// How often the instructions of \p MirLoop stand in \p L: the most frequent
  /// number among accesses of memory, or among all operations where there is
  /// none. One origin can become several instructions, but hardly two of the
  /// same opcode.
  unsigned copiesIn(uint32_t L, uint32_t MirLoop) const {
    std::map<std::pair<uint32_t, std::string>, unsigned> Counts[2];
    for (uint32_t Block : Sass.Loops[L].Blocks) {
      if (Sass.Blocks[Block].Loop != L || Join.IsCold[Block])
        continue;
      const gpuocc::BasicBlock &B = Sass.Blocks[Block];
      for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
        const Operation &Op = Sass.Operations[I];
        if (Join.BlockOfOp[I] == NoIndex ||
            Mir.Blocks[Join.BlockOfOp[I]].Loop != MirLoop)
          continue;
        ++Counts[Op.Access != NoIndex ? 0 : 1][{Op.Origin, Op.Opcode}];
      }
    }
    for (const auto &Of : Counts) {
      std::map<unsigned, unsigned> Frequency;
      for (const auto &[Key, Count] : Of)
        ++Frequency[Count];
      unsigned Best = 0, Most = 0;
      for (auto [Count, Times] : Frequency)
        if (Times >= Most) {
          Best = Count;
          Most = Times;
        }
      if (Best)
        return Best;
    }
    return 1;
  }

  void joinLoops() {
    for (uint32_t L = 0; L != Sass.Loops.size(); ++L) {
      uint32_t From = loopOf(L);
      Join.Loop.push_back(From);
      Join.Copies.push_back(From == NoIndex ? 1 : copiesIn(L, From));
      if (From == NoIndex)
        continue;
      Sass.Loops[L].Location = Mir.Loops[From].Location;
      Sass.Loops[L].UnrolledBy = Join.Copies.back();
    }
  }

  static bool isAlike(const MemoryAccess &A, const MemoryAccess &B) {
    bool SameSpace = A.Space == B.Space || A.Space == MemorySpace::Generic ||
                     B.Space == MemorySpace::Generic;
    bool SameKind = A.Kind == B.Kind;
    // An atomic whose result nobody uses is a reduction.
    if (A.Kind == AccessKind::Reduction || B.Kind == AccessKind::Reduction)
      SameKind = A.Kind != AccessKind::Load && B.Kind != AccessKind::Load;
    return SameSpace && SameKind;
  }

  /// By origin; where origins were lost, by kind, space, width and order.
  void joinAccesses() {
    std::vector<bool> Taken(Mir.Accesses.size());
    Join.Access.assign(Sass.Accesses.size(), NoIndex);
    for (uint32_t I = 0; I != Sass.Accesses.size(); ++I) {
      MemoryAccess &A = Sass.Accesses[I];
      for (uint32_t Origin : originsOf(Sass.Operations[A.Op])) {
        uint32_t From = Mir.Operations[Origin].Access;
        if (From == NoIndex || !isAlike(A, Mir.Accesses[From]))
          continue;
        bool SameWidth = Mir.Accesses[From].BytesPerLane == A.BytesPerLane;
        if (Join.Access[I] == NoIndex || SameWidth)
          Join.Access[I] = From;
        if (SameWidth)
          break;
      }
      if (Join.Access[I] != NoIndex)
        Taken[Join.Access[I]] = true;
    }
    for (uint32_t I = 0; I != Sass.Accesses.size(); ++I) {
      if (Join.Access[I] != NoIndex ||
          Sass.Accesses[I].Space == MemorySpace::Local)
        continue;
      for (uint32_t From = 0; From != Mir.Accesses.size(); ++From)
        if (!Taken[From] && isAlike(Sass.Accesses[I], Mir.Accesses[From]) &&
            Sass.Accesses[I].BytesPerLane == Mir.Accesses[From].BytesPerLane) {
          Join.Access[I] = From;
          Taken[From] = true;
          break;
        }
    }
    for (uint32_t I = 0; I != Sass.Accesses.size(); ++I) {
      if (Join.Access[I] == NoIndex)
        continue;
      const MemoryAccess &From = Mir.Accesses[Join.Access[I]];
      MemoryAccess &A = Sass.Accesses[I];
      if (A.Space == MemorySpace::Generic)
        A.Space = From.Space;
      A.Volatile = From.Volatile;
      A.Acquires |= From.Acquires;
      A.AtomicOp = From.AtomicOp;
      A.OnFloats = From.OnFloats;
    }
  }

  void measure() {
    double Ops = 0, Known = 0, Accesses = 0, KnownAccesses = 0;
    for (uint32_t I = 0; I != Sass.Operations.size(); ++I) {
      const Operation &Op = Sass.Operations[I];
      if (Op.Emits.empty() || Join.IsCold[Op.Block])
        continue;
      ++Ops;
      Known += Join.BlockOfOp[I] != NoIndex;
      if (Op.Access == NoIndex ||
          Sass.Accesses[Op.Access].Space == MemorySpace::Local)
        continue;
      ++Accesses;
      KnownAccesses += Join.Access[Op.Access] != NoIndex;
    }
    Join.JoinedOps = Ops > 0 ? Known / Ops : 0;
    Join.JoinedAccesses = Accesses > 0 ? KnownAccesses / Accesses : 1;
  }
};

} // namespace

ViewJoin gpuocc::joinViews(const KernelFacts &Mir, KernelFacts &Sass) {
  return Joiner(Mir, Sass).run();
}
