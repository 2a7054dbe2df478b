//===- PlaceLikeNvcc.cpp - Address spaces that nvcc infers ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangeEach.h"
#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// The address space of what \p Object is a pointer to; a kernel's arguments
/// point to global memory.
static unsigned spaceOf(const Value *Object) {
  if (const auto *A = dyn_cast<Argument>(Object))
    if (A->getParent()->getCallingConv() == CallingConv::PTX_Kernel &&
        !A->hasByValAttr())
      return NVPTXAS::ADDRESS_SPACE_GLOBAL;
  return Object->getType()->getPointerAddressSpace();
}

/// The one address space that \p Pointer can point to; generic when there are
/// several or it is not known.
static unsigned inferredSpace(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  std::optional<unsigned> Space;
  for (const Value *Object : Objects) {
    if (Space && *Space != spaceOf(Object))
      return NVPTXAS::ADDRESS_SPACE_GENERIC;
    Space = spaceOf(Object);
  }
  return Space.value_or(NVPTXAS::ADDRESS_SPACE_GENERIC);
}

/// Matrix loads and stores take the pointer first and are overloaded by its
/// type alone.
static bool place(IntrinsicInst &Access) {
  if (Access.arg_size() == 0)
    return false;
  Value *Pointer = Access.getArgOperand(0);
  auto *Type = dyn_cast<PointerType>(Pointer->getType());
  if (!Type || Type->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_GENERIC)
    return false;
  unsigned Space = inferredSpace(Pointer);
  if (Space != NVPTXAS::ADDRESS_SPACE_GLOBAL &&
      Space != NVPTXAS::ADDRESS_SPACE_SHARED)
    return false;
  auto *Placed = PointerType::get(Access.getContext(), Space);
  IRBuilder<> Builder(&Access);
  Access.setArgOperand(0, Builder.CreateAddrSpaceCast(Pointer, Placed));
  Access.setCalledFunction(Intrinsic::getOrInsertDeclaration(
      Access.getModule(), Access.getIntrinsicID(), {Placed}));
  return true;
}

/// nvcc infers nothing for the types and shapes that came with sm_80: bf16,
/// tf32 and f64.
static bool isPlacedByNvcc(StringRef Intrinsic) {
  static constexpr StringRef Unknown[] = {".bf16", ".m16n16k8.", ".m8n8k4."};
  return Intrinsic.starts_with("llvm.nvvm.wmma.") &&
         Intrinsic.contains(".stride") && none_of(Unknown, [&](StringRef Part) {
           return Intrinsic.contains(Part);
         });
}

PreservedAnalyses PlaceLikeNvccPass::run(Function &F,
                                         FunctionAnalysisManager &) {
  return changeEach<IntrinsicInst>(F, [](IntrinsicInst &Call) {
    return isPlacedByNvcc(Call.getCalledFunction()->getName()) && place(Call);
  });
}
