//===- GuessTripCount.cpp - How often loops repeat that nothing decides ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"
#include "gpuocc/Kernel/Copies.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Looks at the counter of one loop.
class CounterStep {
public:
  CounterStep(const GuessContext &Context, const Loop &L)
      : Facts(Context.Facts), Block(Context.Launched->Block), L(L) {}

  /// What each iteration adds to the counter that every exit compares; nothing
  /// where an exit asks for something else, or the step is not known.
  std::optional<int64_t> find() const {
    std::optional<int64_t> Step;
    for (uint32_t From : L.Blocks) {
      const BasicBlock &B = Facts.Blocks[From];
      if (all_of(B.Successors,
                 [&](uint32_t To) { return is_contained(L.Blocks, To); }))
        continue;
      const std::optional<int64_t> Own =
          B.Branch < Facts.Branches.size()
              ? stepOfTest(Facts.Branches[B.Branch].Condition)
              : std::nullopt;
      if (!Own || (Step && *Step != *Own))
        return std::nullopt;
      Step = Own;
    }
    return Step;
  }

private:
  const KernelFacts &Facts;
  const Dim3 Block;
  const Loop &L;

  std::optional<int64_t> stepOfTest(const Operand &Condition) const {
    const Operation *Test = Facts.operationOf(behindCopies(Facts, Condition));
    if (!Test || Test->What != Semantics::Compare || Test->Operands.size() != 2)
      return std::nullopt;
    for (unsigned I : {0U, 1U})
      if (isSetOutside(Facts, L, Test->Operands[1 - I]))
        if (const uint32_t Phi = counterBehind(Test->Operands[I]);
            Phi != NoIndex)
          return stepOf(Phi);
    return std::nullopt;
  }

  /// The phi of the header that \p O is, or is a sum of with what does not
  /// change; NoIndex where it is something else.
  uint32_t counterBehind(const Operand &O) const {
    const Operand Of = behindWidths(Facts, O);
    const Operation *Op = Facts.operationOf(Of);
    if (Op && Op->What == Semantics::Add)
      for (unsigned I : {0U, 1U})
        if (isSetOutside(Facts, L, Op->Operands[1 - I]))
          return counterBehind(Op->Operands[I]);
    return Op && Op->What == Semantics::Phi && Op->Block == L.Header ? Of.Index
                                                                     : NoIndex;
  }

  std::optional<int64_t> stepOf(uint32_t Phi) const {
    const Operation &Op = Facts.Operations[Phi];
    for (size_t K = 0; K != Op.Operands.size() && K != Op.PhiBlocks.size(); ++K)
      if (is_contained(L.Latches, Op.PhiBlocks[K])) {
        const Operation *Next =
            Facts.operationOf(behindWidths(Facts, Op.Operands[K]));
        if (!Next || Next->What != Semantics::Add)
          return std::nullopt;
        for (unsigned I : {0U, 1U})
          if (behindWidths(Facts, Next->Operands[I]) == Operand::value(Phi))
            return numberOf(Next->Operands[1 - I]);
      }
    return std::nullopt;
  }

  /// A constant, or a multiple of the threads of a block.
  std::optional<int64_t> numberOf(const Operand &O) const {
    const Operand Of = behindWidths(Facts, O);
    if (Of.isImmediate())
      return Of.Imm;
    const Operation *Op = Facts.operationOf(Of);
    if (Op && Op->What == Semantics::SReg && Op->SReg == SpecialReg::NTidX)
      return int64_t(Block.X);
    constexpr int64_t MostShift = 8;
    if (Op && Op->What == Semantics::Shl && Op->Operands[1].isImmediate() &&
        Op->Operands[1].Imm >= 0 && Op->Operands[1].Imm <= MostShift)
      if (const std::optional<int64_t> One = numberOf(Op->Operands[0]))
        return *One << Op->Operands[1].Imm;
    return std::nullopt;
  }
};

} // namespace

/// Where the threads of a warp or of a block take turns, each has as many fewer
/// of the values that one thread would go through alone, of which compilers put
/// four into an iteration.
std::optional<Guess> gpuocc::guessTripCount(const GuessContext &Context,
                                            int64_t Index) {
  if (!Context.Launched)
    return std::nullopt;
  constexpr int64_t LanesPerWarp = 32, Unrolled = 4;
  Guess G;
  G.Value = Context.Launched->DefaultTripCount;
  G.Evidence = "data ends it, and loops repeat more than once";
  if (size_t(Index) >= Context.Facts.Loops.size())
    return G;
  const std::optional<int64_t> Step =
      CounterStep(Context, Context.Facts.Loops[Index]).find();
  if (Step && *Step >= LanesPerWarp) {
    G.Value = std::max(1.0, G.Value * double(Unrolled) / double(*Step));
    G.Evidence = "data ends it, and threads take turns in it";
  }
  return G;
}
