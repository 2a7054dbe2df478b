//===- WatchReads.cpp - Keep what threads read ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SharedMemory.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace gpuocc::execute;
using namespace llvm;

/// May \p Pointer lead to memory that other blocks change?
static bool isInGlobal(const Value &Pointer, const Function &F) {
  constexpr unsigned Generic = 0, Global = 1;
  const unsigned Space = Pointer.getType()->getPointerAddressSpace();
  if ((Space != Generic && Space != Global) || isInShared(Pointer))
    return false;
  const Value *Object = getUnderlyingObject(&Pointer);
  // The state of the thread leads to that of its block.
  while (const auto *Loaded = dyn_cast<LoadInst>(Object))
    Object = getUnderlyingObject(Loaded->getPointerOperand());
  if (const auto *V = dyn_cast<GlobalVariable>(Object))
    return !V->isConstant();
  if (const auto *A = dyn_cast<Argument>(Object))
    // The first is the thread.
    return A->getArgNo() != 0 && !A->hasByValAttr();
  return !isa<AllocaInst>(Object);
}

namespace {

struct Read {
  Instruction *What;
  Value *Pointer;
  /// Where the old value is a part of the result (compare-and-swap).
  bool IsFirstPart = false;
};

} // namespace

/// \p V as a number of whole bytes; null where it has no such form.
static Value *asNumber(IRBuilder<> &B, Value *V, const DataLayout &Layout) {
  Type *T = V->getType();
  if (T->isPointerTy())
    return B.CreatePtrToInt(V, B.getInt64Ty());
  if (!T->isIntegerTy() && !T->isFloatingPointTy() && !isa<FixedVectorType>(T))
    return nullptr;
  if (auto *Vector = dyn_cast<FixedVectorType>(T);
      Vector && Vector->getElementType()->isPointerTy())
    return nullptr;
  const uint64_t Bits = Layout.getTypeSizeInBits(T);
  if (!T->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(unsigned(Bits)));
  return B.CreateZExtOrTrunc(V, B.getIntNTy(unsigned(alignTo(Bits, 8))));
}

static void keep(const Read &R, const DataLayout &Layout) {
  Function &F = *R.What->getFunction();
  IRBuilder<> B(R.What->getNextNode());
  Value *Result =
      R.IsFirstPart ? B.CreateExtractValue(R.What, 0) : (Value *)R.What;
  Value *Number = asNumber(B, Result, Layout);
  if (!Number)
    return;
  const unsigned Bytes = Number->getType()->getIntegerBitWidth() / 8;
  Value *Address = B.CreatePtrToInt(R.Pointer, B.getInt64Ty());
  FunctionCallee Saw = F.getParent()->getOrInsertFunction(
      "gpuoccSaw", B.getVoidTy(), B.getPtrTy(), B.getInt64Ty(), B.getInt64Ty(),
      B.getInt32Ty());
  constexpr unsigned PieceBytes = 8;
  for (unsigned At = 0; At < Bytes; At += PieceBytes)
    B.CreateCall(Saw,
                 {F.getArg(0), B.CreateAdd(Address, B.getInt64(At)),
                  B.CreateZExtOrTrunc(B.CreateLShr(Number, uint64_t(8) * At),
                                      B.getInt64Ty()),
                  B.getInt32(std::min(PieceBytes, Bytes - At))});
}

void gpuocc::execute::watchReads(Module &M) {
  std::vector<Read> Reads;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (Instruction &I : Block) {
        if (auto *Load = dyn_cast<LoadInst>(&I))
          Reads.push_back({&I, Load->getPointerOperand()});
        else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
          Reads.push_back({&I, Atomic->getPointerOperand()});
        else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
          Reads.push_back({&I, Swap->getPointerOperand(), true});
      }
  for (const Read &R : Reads)
    if (isInGlobal(*R.Pointer, *R.What->getFunction()))
      keep(R, M.getDataLayout());
}
