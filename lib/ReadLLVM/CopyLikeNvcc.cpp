//===- CopyLikeNvcc.cpp - Copies of structures as nvcc makes them ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangeEach.h"
#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace gpuocc;
using namespace llvm;

/// Widest access of a thread, in bytes (PTX ISA: .v4 of 32 bits).
static constexpr uint64_t WidestAccess = 16;

/// Larger copies are loops or calls with both compilers.
static constexpr uint64_t LargestCopy = 128;

/// The registers that hold what is copied: smallest field in bytes, between 4
/// and 8. 0 when a field is smaller, so that no register holds one field.
static uint64_t fieldBytes(const MemCpyInst &Copy) {
  const MDNode *Fields = Copy.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!Fields)
    return 4;
  uint64_t Smallest = 8;
  // Triples of offset, size and type.
  for (unsigned I = 1; I < Fields->getNumOperands(); I += 3)
    if (const auto *Size =
            mdconst::dyn_extract<ConstantInt>(Fields->getOperand(I)))
      Smallest = std::min(Smallest, Size->getZExtValue());
  return Smallest < 4 ? 0 : Smallest;
}

static bool isLocal(const Value *Pointer) {
  return isa<AllocaInst>(getUnderlyingObject(Pointer));
}

/// Is this what a closure captured by reference? Mostly that is a variable of
/// the function around it, which stays in registers once both are one.
static bool isCaptured(const Value *Pointer) {
  const auto *Reference = dyn_cast<LoadInst>(getUnderlyingObject(Pointer));
  return Reference && Reference->hasMetadata(LLVMContext::MD_nonnull) &&
         !isa<AllocaInst>(Reference->getPointerOperand());
}

/// The type of one access of \p Bytes, held in registers of \p Field bytes.
static Type *pieceType(LLVMContext &Context, uint64_t Bytes, uint64_t Field) {
  if (Bytes <= Field)
    return IntegerType::get(Context, 8 * Bytes);
  return FixedVectorType::get(IntegerType::get(Context, 8 * Field),
                              Bytes / Field);
}

static bool expand(MemCpyInst &Copy) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Length || Copy.isVolatile())
    return false;
  uint64_t Bytes = Length->getZExtValue();
  uint64_t Piece =
      std::min({Copy.getDestAlign().valueOrOne().value(),
                Copy.getSourceAlign().valueOrOne().value(), WidestAccess});
  if (Bytes == 0 || Bytes > LargestCopy || Bytes % Piece != 0)
    return false;
  if (isCaptured(Copy.getSource()) || isCaptured(Copy.getDest()))
    return false;
  // A variable that stays in registers is taken apart by its fields: a piece
  // that holds several small ones would keep it in memory.
  bool FromLocal = isLocal(Copy.getSource()), ToLocal = isLocal(Copy.getDest());
  uint64_t Field = fieldBytes(Copy);
  if ((FromLocal && ToLocal) || ((FromLocal || ToLocal) && Field == 0))
    return false;
  Type *Ty = pieceType(Copy.getContext(), Piece, Field == 0 ? 4 : Field);

  IRBuilder<> Builder(&Copy);
  SmallVector<Value *, 8> Loaded;
  for (uint64_t At = 0; At < Bytes; At += Piece)
    Loaded.push_back(Builder.CreateAlignedLoad(
        Ty,
        Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                           Copy.getSource(), At),
        Align(Piece)));
  for (auto [Index, Value] : enumerate(Loaded))
    Builder.CreateAlignedStore(
        Value,
        Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Copy.getDest(),
                                           Index * Piece),
        Align(Piece));
  Copy.eraseFromParent();
  return true;
}

PreservedAnalyses CopyLikeNvccPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  return changeEach<MemCpyInst>(F, expand);
}
