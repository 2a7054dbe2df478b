//===- VerifyFacts.cpp - Do the parts of facts fit together? --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Collects the first problem.
class Verifier {
public:
  explicit Verifier(const KernelFacts &F) : F(F) {}

  Error run() {
    blocks();
    operations();
    loops();
    accesses();
    branches();
    if (Problem.empty())
      return Error::success();
    return createStringError("kernel '%s': %s", F.Name.c_str(),
                             Problem.c_str());
  }

private:
  void require(bool Holds, const Twine &What) {
    if (!Holds && Problem.empty())
      Problem = What.str();
  }

  void inRange(uint32_t Index, size_t Size, const Twine &What) {
    if (Index >= Size)
      require(false,
              What + " refers to " + Twine(Index) + " of " + Twine(Size));
  }

  void optional(uint32_t Index, size_t Size, const Twine &What) {
    if (Index != NoIndex)
      inRange(Index, Size, What);
  }

  void operand(const Operand &O, const Twine &What) {
    switch (O.K) {
    case Operand::Kind::Value:
      inRange(O.Index, F.Operations.size(), What);
      if (O.Index < F.Operations.size())
        require(O.Result <
                    std::max<unsigned>(1, F.Operations[O.Index].NumResults),
                What + " refers to a result that is not there");
      return;
    case Operand::Kind::Symbol:
      inRange(O.Index, F.Symbols.size(), What);
      return;
    case Operand::Kind::Immediate:
    case Operand::Kind::Undef:
      return;
    }
  }

  void blocks() {
    uint64_t Next = 0;
    for (size_t I = 0; I != F.Blocks.size(); ++I) {
      const gpuocc::BasicBlock &B = F.Blocks[I];
      std::string What = "block " + std::to_string(I);
      require(B.FirstOp == Next, What + " does not follow the one before");
      Next = uint64_t(B.FirstOp) + B.NumOps;
      for (uint32_t S : B.Successors)
        inRange(S, F.Blocks.size(), What + ": successor");
      optional(B.Branch, F.Branches.size(), What + ": branch");
      optional(B.Loop, F.Loops.size(), What + ": loop");
      optional(B.PostDominator, F.Blocks.size(), What + ": post-dominator");
      optional(B.PredicatedInto, F.Blocks.size(),
               What + ": block that it is predicated into");
    }
    require(Next == F.Operations.size(),
            "the blocks do not cover the operations");
  }

  void operations() {
    for (size_t I = 0; I != F.Operations.size(); ++I) {
      const Operation &O = F.Operations[I];
      std::string What = "operation " + std::to_string(I);
      for (const Operand &In : O.Operands)
        operand(In, What + ": operand");
      operand(O.Guard, What + ": guard");
      for (uint32_t B : O.PhiBlocks)
        inRange(B, F.Blocks.size(), What + ": phi block");
      require(std::accumulate(O.Tuples.begin(), O.Tuples.end(), uint64_t(0)) <=
                  O.Operands.size(),
              What + ": tuples of more operands than there are");
      require(O.PhiBlocks.empty() || O.PhiBlocks.size() == O.Operands.size(),
              What + ": one block for each operand of a phi");
      inRange(O.Block, F.Blocks.size(), What + ": block");
      if (O.Block < F.Blocks.size()) {
        const gpuocc::BasicBlock &B = F.Blocks[O.Block];
        require(I >= B.FirstOp && I < uint64_t(B.FirstOp) + B.NumOps,
                What + " is not in its block");
      }
      optional(O.Location, F.Locations.size(), What + ": location");
      optional(O.Access, F.Accesses.size(), What + ": access");
    }
  }

  void loops() {
    for (size_t I = 0; I != F.Loops.size(); ++I) {
      const gpuocc::Loop &L = F.Loops[I];
      std::string What = "loop " + std::to_string(I);
      inRange(L.Header, F.Blocks.size(), What + ": header");
      optional(L.Parent, F.Loops.size(), What + ": parent");
      require(L.Parent >= F.Loops.size() || F.Loops[L.Parent].Depth < L.Depth,
              What + " is not deeper than its parent");
      for (uint32_t B : L.Blocks)
        inRange(B, F.Blocks.size(), What + ": block");
      for (uint32_t B : L.Latches)
        inRange(B, F.Blocks.size(), What + ": latch");
      optional(L.Location, F.Locations.size(), What + ": location");
    }
  }

  void accesses() {
    for (size_t I = 0; I != F.Accesses.size(); ++I) {
      const MemoryAccess &A = F.Accesses[I];
      std::string What = "access " + std::to_string(I);
      inRange(A.Op, F.Operations.size(), What + ": operation");
      operand(A.Base, What + ": base");
      operand(A.SharedBase, What + ": shared base");
      if (A.Op < F.Operations.size())
        optional(A.BytesOperand, F.Operations[A.Op].Operands.size(),
                 What + ": operand of bytes");
      for (const Operand &O : A.Stored)
        operand(O, What + ": stored value");
    }
  }

  void branches() {
    for (size_t I = 0; I != F.Branches.size(); ++I) {
      const gpuocc::Branch &B = F.Branches[I];
      std::string What = "branch " + std::to_string(I);
      optional(B.Op, F.Operations.size(), What + ": operation");
      inRange(B.Block, F.Blocks.size(), What + ": block");
      operand(B.Condition, What + ": condition");
      for (uint32_t T : B.Targets)
        inRange(T, F.Blocks.size(), What + ": target");
    }
    for (size_t I = 0; I != F.Gaps.size(); ++I)
      optional(F.Gaps[I].Location, F.Locations.size(),
               "gap " + std::to_string(I));
  }

  const KernelFacts &F;
  std::string Problem;
};

} // namespace

Error gpuocc::verifyFacts(const KernelFacts &Facts) {
  return Verifier(Facts).run();
}
