//===- PolledLoops.cpp - Loops that wait for what others write ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/PolledLoops.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Kernel/LoopCode.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Looks at one loop.
class PollFinder {
public:
  PollFinder(const KernelFacts &Facts, const Loop &L) : Facts(Facts), L(L) {}

  /// Every exit asks for what others write, and nothing else is done.
  bool isPoll() const {
    const Exits Found =
        exitsThat([&](const Operation &Op) { return isQuestion(Op); });
    return Found.Ask > 0 && Found.Ask == Found.All;
  }

  /// An exit asks for what others write, word after word of an array that the
  /// kernel writes too, and nothing else is done: a block looks for what those
  /// before it have summed up.
  bool isLookBack() const {
    return exitsThat([&](const Operation &Op) { return isStep(Op); }).Ask > 0;
  }

  /// The lanes of a warp decide together whether to go on.
  bool asksWarp() const {
    return exitsThat([&](const Operation &Op) { return joinsLanes(Op); }).Ask >
           0;
  }

  /// The loads of the loop that isLookBack() speaks of.
  std::vector<uint32_t> steps() const {
    std::vector<uint32_t> Found;
    for (uint32_t Block : L.Blocks) {
      const BasicBlock &B = Facts.Blocks[Block];
      for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
        if (isStep(Facts.Operations[I]))
          Found.push_back(I);
    }
    return Found;
  }

private:
  struct Exits {
    unsigned All = 0, Ask = 0;
  };

  /// Exits, and those whose condition rests on what \p IsAsked holds for; none
  /// where the loop writes or meets others.
  template <typename Function> Exits exitsThat(Function IsAsked) const {
    Exits Found;
    for (uint32_t Block : L.Blocks) {
      if (Block >= Facts.Blocks.size() || writesOrMeets(Facts.Blocks[Block]))
        return Exits();
      const uint32_t Branch = Facts.Blocks[Block].Branch;
      if (Branch >= Facts.Branches.size() ||
          !leavesLoop(L, Facts.Branches[Branch]))
        continue;
      ++Found.All;
      Found.Ask += anyOperationInLoop(
          Facts, L, Facts.Branches[Branch].Condition, IsAsked);
    }
    return Found;
  }

  /// Reads one word that others write while the loop runs, or tests a barrier
  /// of shared memory.
  bool isQuestion(const Operation &Op) const {
    if (Op.Access >= Facts.Accesses.size())
      return any_of(Op.Emits, [](const Emission &E) {
        return E.Class == InstClass::AtomShared;
      });
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    return (readsOthers(A) || A.Kind == AccessKind::Atomic) &&
           !restsOn(A, Semantics::Phi) && !restsOn(A, Semantics::Load);
  }

  /// Reads one of many words that others write, the next in each iteration.
  bool isStep(const Operation &Op) const {
    if (Op.Access >= Facts.Accesses.size())
      return false;
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    return readsOthers(A) && restsOn(A, Semantics::Phi) &&
           !restsOn(A, Semantics::Load) && isWritten(A);
  }

  static bool joinsLanes(const Operation &Op) {
    return is_contained({Semantics::Ballot, Semantics::VoteAny,
                         Semantics::VoteAll, Semantics::MatchAny},
                        Op.What) ||
           any_of(Op.Emits, [](const Emission &E) {
             return E.Class == InstClass::Vote || E.Class == InstClass::Redux;
           });
  }

  static bool readsOthers(const MemoryAccess &A) {
    return A.Kind == AccessKind::Load && A.Volatile;
  }

  bool restsOn(const MemoryAccess &A, Semantics What) const {
    return anyOperationInLoop(
        Facts, L, A.Base, [&](const Operation &Of) { return Of.What == What; });
  }

  /// The kernel writes to the array that \p A reads.
  bool isWritten(const MemoryAccess &A) const {
    const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
    return Array && any_of(Facts.Accesses, [&](const MemoryAccess &B) {
             return B.Kind == AccessKind::Store &&
                    arrayOfAccess(Facts, B) == Array;
           });
  }

  bool writesOrMeets(const BasicBlock &B) const {
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (meetsAtBarrier(Op))
        return true;
      if (Op.Access < Facts.Accesses.size() &&
          (Facts.Accesses[Op.Access].Kind == AccessKind::Store ||
           Facts.Accesses[Op.Access].Kind == AccessKind::Reduction))
        return true;
    }
    return false;
  }

  const KernelFacts &Facts;
  const Loop &L;
};

} // namespace

bool gpuocc::pollsOneWord(const KernelFacts &Facts, const Loop &L) {
  return PollFinder(Facts, L).isPoll();
}

std::optional<LookBackLoop> gpuocc::lookBackLoop(const KernelFacts &Facts,
                                                 const Loop &L) {
  const PollFinder Finder(Facts, L);
  if (!Finder.isLookBack())
    return std::nullopt;
  constexpr unsigned LanesPerWarp = 32;
  return LookBackLoop{Finder.asksWarp() ? LanesPerWarp : 1, Finder.steps()};
}
