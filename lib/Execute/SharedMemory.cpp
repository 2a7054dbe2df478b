//===- SharedMemory.cpp - Variables in shared memory ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "State.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// What dynamic shared memory, and variables without an alignment of their own,
/// are aligned to: the most that an access asks for.
static constexpr uint64_t SharedAlignment = 128;

/// "extern __shared__": all such variables are the same memory.
static bool isDynamic(const GlobalVariable &V) { return V.isDeclaration(); }

SharedLayout gpuocc::execute::layOutShared(const Module &M) {
  SharedLayout Layout;
  uint64_t Next = ReservedSharedBytes;
  for (const GlobalVariable &V : M.globals()) {
    if (V.getAddressSpace() != SharedSpace || isDynamic(V))
      continue;
    Next = alignTo(Next, V.getAlign().value_or(Align(16)));
    Layout.Offsets[V.getName()] = Next;
    Next += M.getDataLayout().getTypeAllocSize(V.getValueType());
  }
  Layout.StaticBytes = alignTo(Next, SharedAlignment);
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == SharedSpace && isDynamic(V))
      Layout.Offsets[V.getName()] = Layout.StaticBytes;
  return Layout;
}

bool gpuocc::execute::isInShared(const Value &Pointer) {
  if (Pointer.getType()->getPointerAddressSpace() == SharedSpace)
    return true;
  // The limit of LLVM's own walk is for deep chains of GEPs.
  const Value *Object = getUnderlyingObject(&Pointer, /*MaxLookup=*/0);
  return Object->getType()->isPointerTy() &&
         Object->getType()->getPointerAddressSpace() == SharedSpace;
}

void gpuocc::execute::replaceSharedVariables(Module &M,
                                             const SharedLayout &Layout) {
  SmallVector<GlobalVariable *, 8> Shared;
  SmallVector<Constant *, 8> Constants;
  for (GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == SharedSpace) {
      Shared.push_back(&V);
      Constants.push_back(&V);
    }
  convertUsersOfConstantsToInstructions(Constants);
  for (GlobalVariable *V : Shared) {
    // One address a function, at its entry.
    DenseMap<Function *, Value *> Addresses;
    for (Use &U : make_early_inc_range(V->uses())) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      if (!User)
        continue;
      Value *&Address = Addresses[User->getFunction()];
      if (!Address) {
        Function &F = *User->getFunction();
        IRBuilder<> B(&F.getEntryBlock(),
                      F.getEntryBlock().getFirstInsertionPt());
        MDNode *Empty = MDNode::get(B.getContext(), {});
        LoadInst *Block = B.CreateLoad(
            B.getPtrTy(),
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), F.getArg(0),
                                         offsetof(ThreadState, Block)));
        LoadInst *Base = B.CreateLoad(
            B.getPtrTy(),
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block,
                                         offsetof(BlockState, Shared)));
        Block->setMetadata(LLVMContext::MD_invariant_load, Empty);
        Base->setMetadata(LLVMContext::MD_invariant_load, Empty);
        Address = B.CreateAddrSpaceCast(
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base,
                                         Layout.Offsets.lookup(V->getName())),
            V->getType());
      }
      U.set(Address);
    }
    if (V->use_empty())
      V->eraseFromParent();
  }
}
