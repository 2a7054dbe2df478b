//===- GuessPollTurns.cpp - How often loops poll --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Looks at one loop.
class PollFinder {
public:
  PollFinder(const KernelFacts &Facts, const Loop &L) : Facts(Facts), L(L) {}

  /// Every exit asks for what others write, and nothing else is done.
  bool isPoll() const {
    bool Polls = false;
    for (uint32_t Block : L.Blocks) {
      if (Block >= Facts.Blocks.size() || writesOrMeets(Facts.Blocks[Block]))
        return false;
      const uint32_t Branch = Facts.Blocks[Block].Branch;
      if (Branch >= Facts.Branches.size() || !leaves(Facts.Branches[Branch]))
        continue;
      if (!asks(Facts.Branches[Branch].Condition))
        return false;
      Polls = true;
    }
    return Polls;
  }

private:
  bool contains(uint32_t Block) const { return is_contained(L.Blocks, Block); }

  bool leaves(const Branch &B) const {
    return any_of(B.Targets, [&](uint32_t To) { return !contains(To); });
  }

  /// Calls \p Visit for the operations of the loop that \p From is made of
  /// until it returns true; returns whether it did.
  template <typename Function>
  bool anyBehind(const Operand &From, Function Visit) const {
    SmallVector<Operand, 8> Work = {From};
    SmallVector<uint32_t, 16> Seen;
    while (!Work.empty()) {
      const Operand Next = Work.pop_back_val();
      const Operation *Op = Facts.operationOf(Next);
      if (!Op || !contains(Op->Block) || is_contained(Seen, Next.Index))
        continue;
      Seen.push_back(Next.Index);
      if (Visit(*Op))
        return true;
      Work.append(Op->Operands.begin(), Op->Operands.end());
    }
    return false;
  }

  bool asks(const Operand &Condition) const {
    return anyBehind(Condition,
                     [&](const Operation &Op) { return isQuestion(Op); });
  }

  /// Reads one word that others write while the loop runs, or tests a barrier
  /// of shared memory.
  bool isQuestion(const Operation &Op) const {
    if (Op.Access >= Facts.Accesses.size())
      return any_of(Op.Emits, [](const Emission &E) {
        return E.Class == InstClass::AtomShared;
      });
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    if (!(A.Kind == AccessKind::Load && A.Volatile) &&
        A.Kind != AccessKind::Atomic)
      return false;
    return !anyBehind(A.Base, [](const Operation &Of) {
      return Of.What == Semantics::Phi || Of.What == Semantics::Load;
    });
  }

  bool writesOrMeets(const BasicBlock &B) const {
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (any_of(Op.Emits, [](const Emission &E) {
            return E.Class == InstClass::Barrier;
          }))
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

/// Heuristic: what is waited for is there. Evidence: a decoupled look-back
/// finds nearly all flags set.
std::optional<Guess> gpuocc::guessPollTurns(const GuessContext &Context,
                                            int64_t Index) {
  if (size_t(Index) >= Context.Facts.Loops.size() ||
      !PollFinder(Context.Facts, Context.Facts.Loops[Index]).isPoll())
    return std::nullopt;
  Guess G;
  G.Value = 1;
  G.Evidence =
      "it polls a word that others write, which is taken to be written "
      "before";
  return G;
}
