//===- FuseProducts.cpp - Products and sums that ptxas makes one ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace gpuocc;
using namespace llvm;

/// What \p V is, seen through registers that hold its bits, if nothing else
/// reads it.
static Value *onlyRead(Value *V) {
  while (V->hasOneUse() && isa<BitCastInst>(V))
    V = cast<BitCastInst>(V)->getOperand(0);
  return V->hasOneUse() ? V : nullptr;
}

/// The product that \p V is, if it may be fused with its only reader.
static BinaryOperator *fusibleProduct(Value *V) {
  auto *Product = dyn_cast_or_null<BinaryOperator>(onlyRead(V));
  return Product && Product->getOpcode() == Instruction::FMul &&
                 Product->getType() == V->getType() &&
                 Product->hasAllowContract()
             ? Product
             : nullptr;
}

/// The fused form of \p Sum; null where neither operand is such a product.
static Value *fused(BinaryOperator &Sum) {
  IRBuilder<> Builder(&Sum);
  auto Fuse = [&](Value *A, Value *B, Value *C) {
    return Builder.CreateIntrinsic(Intrinsic::fma, {A->getType()}, {A, B, C});
  };
  const bool IsDifference = Sum.getOpcode() == Instruction::FSub;
  Value *First = Sum.getOperand(0), *Second = Sum.getOperand(1);
  if (BinaryOperator *P = fusibleProduct(First))
    return Fuse(P->getOperand(0), P->getOperand(1),
                IsDifference ? Builder.CreateFNeg(Second) : Second);
  if (BinaryOperator *P = fusibleProduct(Second)) {
    Value *A = P->getOperand(0);
    return Fuse(IsDifference ? Builder.CreateFNeg(A) : A, P->getOperand(1),
                First);
  }
  return nullptr;
}

void gpuocc::fuseProducts(Function &F) {
  for (BasicBlock &B : F)
    for (Instruction &I : make_early_inc_range(B)) {
      auto *Sum = dyn_cast<BinaryOperator>(&I);
      if (!Sum || !Sum->hasAllowContract() ||
          (Sum->getOpcode() != Instruction::FAdd &&
           Sum->getOpcode() != Instruction::FSub))
        continue;
      if (Value *Fused = fused(*Sum)) {
        Sum->replaceAllUsesWith(Fused);
        RecursivelyDeleteTriviallyDeadInstructions(Sum);
      }
    }
}
