//===- RegisterTypes.cpp - Registers that hold numbers with a fraction --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// What speaks for a floating-point number (positive) or a whole one, and the
/// registers that it is copied to or from.
struct Vote {
  int Weight = 0;
  SmallVector<AllocaInst *, 4> Copies;
};

} // namespace

/// The floating-point type of \p Bits bits; null when registers have none.
static Type *floatOf(unsigned Bits, LLVMContext &Context) {
  return Bits == 32   ? Type::getFloatTy(Context)
         : Bits == 64 ? Type::getDoubleTy(Context)
                      : nullptr;
}

static bool isScalarFloatCast(const Value *V, bool FromFloat) {
  const auto *Cast = dyn_cast<BitCastInst>(V);
  if (!Cast)
    return false;
  const Type *T = FromFloat ? Cast->getSrcTy() : Cast->getDestTy();
  return T->isFloatTy() || T->isDoubleTy();
}

/// What neither counts nor copies: memory and numbers have any type.
static bool isNeutral(const Value *V) {
  return isa<LoadInst, ExtractElementInst, Constant, CallInst, ExtractValueInst,
             SelectInst>(V);
}

static void count(AllocaInst *A, Vote &V, DenseMap<AllocaInst *, Vote> &Votes) {
  for (const User *U : A->users()) {
    if (const auto *Store = dyn_cast<StoreInst>(U)) {
      const Value *Stored = Store->getValueOperand();
      if (isScalarFloatCast(Stored, /*FromFloat=*/true))
        V.Weight += 2;
      else if (!isNeutral(Stored))
        V.Weight -= 2;
      continue;
    }
    for (const User *Reader : U->users()) {
      const auto *Copy = dyn_cast<StoreInst>(Reader);
      AllocaInst *To = Copy ? const_cast<AllocaInst *>(dyn_cast<AllocaInst>(
                                  Copy->getPointerOperand()))
                            : nullptr;
      if (To && Votes.contains(To)) {
        V.Copies.push_back(To);
        Votes[To].Copies.push_back(A);
      } else if (isScalarFloatCast(Reader, /*FromFloat=*/false)) {
        ++V.Weight;
      } else if (!Copy && !isa<SelectInst>(Reader)) {
        --V.Weight;
      }
    }
  }
}

/// Makes \p A a register of type \p T.
static AllocaInst *retype(AllocaInst *A, Type *T) {
  auto *New =
      new AllocaInst(T, A->getAddressSpace(), A->getName(), A->getIterator());
  for (User *U : make_early_inc_range(A->users())) {
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      Value *V = Store->getValueOperand();
      IRBuilder<> Builder(Store);
      auto *Cast = dyn_cast<BitCastInst>(V);
      V = Cast && Cast->getSrcTy() == T ? Cast->getOperand(0)
                                        : Builder.CreateBitCast(V, T);
      Builder.CreateStore(V, New);
      Store->eraseFromParent();
      if (Cast && Cast->use_empty())
        Cast->eraseFromParent();
      continue;
    }
    auto *Load = cast<LoadInst>(U);
    IRBuilder<> Builder(Load);
    Value *V = Builder.CreateLoad(T, New);
    for (User *Reader : make_early_inc_range(Load->users()))
      if (auto *Cast = dyn_cast<BitCastInst>(Reader);
          Cast && Cast->getDestTy() == T) {
        Cast->replaceAllUsesWith(V);
        Cast->eraseFromParent();
      }
    if (!Load->use_empty())
      Load->replaceAllUsesWith(Builder.CreateBitCast(V, Load->getType()));
    Load->eraseFromParent();
  }
  A->eraseFromParent();
  return New;
}

void gpuocc::chooseRegisterTypes(std::vector<AllocaInst *> &Registers) {
  DenseMap<AllocaInst *, Vote> Votes;
  for (AllocaInst *A : Registers)
    if (A->getAllocatedType()->isIntegerTy())
      Votes[A];
  for (AllocaInst *A : Registers)
    if (auto It = Votes.find(A); It != Votes.end()) {
      Vote V;
      count(A, V, Votes);
      Vote &Known = Votes[A];
      Known.Weight = V.Weight;
      append_range(Known.Copies, V.Copies);
    }
  // Registers that are only copied are like those that know.
  constexpr unsigned Rounds = 4;
  for (unsigned I = 0; I != Rounds; ++I)
    for (AllocaInst *A : Registers)
      if (auto It = Votes.find(A); It != Votes.end() && It->second.Weight == 0)
        for (AllocaInst *Copy : It->second.Copies)
          It->second.Weight += Votes[Copy].Weight > 0   ? 1
                               : Votes[Copy].Weight < 0 ? -1
                                                        : 0;
  for (AllocaInst *&A : Registers) {
    auto It = Votes.find(A);
    if (It == Votes.end() || It->second.Weight <= 0)
      continue;
    if (Type *T = floatOf(A->getAllocatedType()->getIntegerBitWidth(),
                          A->getContext()))
      A = retype(A, T);
  }
}
