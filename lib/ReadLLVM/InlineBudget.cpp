//===- InlineBudget.cpp - What is inlined into kernels --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineBudget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isInlined(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() != CallingConv::PTX_Kernel &&
         !F.hasFnAttribute(Attribute::OptimizeNone);
}

/// Instructions of \p F that machine code is made of.
static uint64_t countInstructions(const Function &F) {
  return uint64_t(count_if(instructions(F), [](const Instruction &I) {
    const bool IsFallThrough =
        isa<BranchInst>(I) && cast<BranchInst>(I).isUnconditional();
    return !IsFallThrough && !isa<FreezeInst, BitCastInst, PtrToIntInst,
                                  IntToPtrInst, AddrSpaceCastInst>(I);
  }));
}

namespace {

/// Decides call by call, callees first.
class Marker {
public:
  StringMap<std::string> run(Module &M) {
    CallGraph Graph(M);
    for (CallGraphNode *Node : post_order(&Graph))
      if (Function *F = Node->getFunction(); F && !F->isDeclaration())
        mark(*F);
    return std::move(FirstCalled);
  }

private:
  /// Instructions of each function seen, with what is inlined into it.
  DenseMap<const Function *, uint64_t> SizeOf;
  StringMap<std::string> FirstCalled;

  using InlinedCall = std::pair<CallBase *, Function *>;

  static SmallVector<InlinedCall, 8> callsOf(Function &F) {
    SmallVector<InlinedCall, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && isInlined(*Callee))
          Calls.push_back({Call, Callee});
    return Calls;
  }

  void mark(Function &F) {
    const SmallVector<InlinedCall, 8> Calls = callsOf(F);
    uint64_t Size = countInstructions(F), Whole = Size;
    for (auto [Call, Callee] : Calls)
      Whole += sizeOf(*Callee);
    // A function that stays a call is only counted: a part of its calls, with
    // a copy in each function that it leads to, would tell nothing more.
    const bool KeepsCalls = Whole > MaxInstructionsInlined && isInlined(F);
    for (auto [Call, Callee] : Calls) {
      const uint64_t More = sizeOf(*Callee);
      if (KeepsCalls || Size + More > MaxInstructionsInlined) {
        Call->addFnAttr(Attribute::NoInline);
        FirstCalled.try_emplace(F.getName(), Callee->getName().str());
        continue;
      }
      Size += More;
      // Calls of the callee come along.
      if (auto Its = FirstCalled.find(Callee->getName());
          Its != FirstCalled.end())
        FirstCalled.try_emplace(F.getName(), std::string(Its->second));
    }
    SizeOf[&F] = Size;
  }

  /// What calls itself has no size yet.
  uint64_t sizeOf(const Function &F) const { return SizeOf.lookup(&F); }
};

} // namespace

StringMap<std::string> gpuocc::markInlined(Module &M) {
  for (Function &F : M)
    if (isInlined(F)) {
      F.removeFnAttr(Attribute::NoInline);
      F.addFnAttr(Attribute::AlwaysInline);
    }
  return Marker().run(M);
}
