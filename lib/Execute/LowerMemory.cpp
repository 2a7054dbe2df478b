//===- LowerMemory.cpp - Memory of NVPTX as memory of the host ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "State.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Is the address \p Pointer in the shared memory of the block?
static Value *isShared(CallLowering &L, Value *Pointer) {
  IRBuilder<> &B = L.Builder;
  Type *T = B.getInt64Ty();
  Value *Base = B.CreatePtrToInt(
      L.field(L.block(), offsetof(BlockState, Shared), B.getPtrTy()), T);
  Value *Size = B.CreateZExt(
      L.field(L.block(), offsetof(BlockState, SharedBytes), B.getInt32Ty()), T);
  return B.CreateICmpULT(B.CreateSub(B.CreatePtrToInt(Pointer, T), Base), Size);
}

/// "cp.async.ca.shared.global.16" and ".s", with the bytes that are read: the
/// copy is made at once.
static Value *lowerAsyncCopy(CallLowering &L, StringRef Name) {
  IRBuilder<> &B = L.Builder;
  const bool HasSize = Name.consume_back(".s");
  uint64_t Bytes = 0;
  if (Name.rsplit('.').second.getAsInteger(10, Bytes))
    return nullptr;
  if (HasSize) {
    B.CreateMemSet(L.operand(0), B.getInt8(0), Bytes, MaybeAlign(4));
    return B.CreateMemCpy(L.operand(0), MaybeAlign(4), L.operand(1),
                          MaybeAlign(1),
                          B.CreateZExt(L.operand(2), B.getInt64Ty()));
  }
  return B.CreateMemCpy(L.operand(0), MaybeAlign(Bytes), L.operand(1),
                        MaybeAlign(Bytes), Bytes);
}

/// "atomic.add.gen.f.cta" and the like.
static Value *lowerScopedAtomic(CallLowering &L, StringRef Name) {
  SmallVector<StringRef, 5> Words;
  Name.split(Words, '.');
  if (Words.size() < 4)
    return nullptr;
  const bool IsFloat = Words[3] == "f";
  using Rmw = AtomicRMWInst;
  const Rmw::BinOp Op = StringSwitch<Rmw::BinOp>(Words[1])
                            .Case("add", IsFloat ? Rmw::FAdd : Rmw::Add)
                            .Case("exch", Rmw::Xchg)
                            .Case("max", Rmw::Max)
                            .Case("min", Rmw::Min)
                            .Case("inc", Rmw::UIncWrap)
                            .Case("dec", Rmw::UDecWrap)
                            .Case("and", Rmw::And)
                            .Case("or", Rmw::Or)
                            .Case("xor", Rmw::Xor)
                            .Default(Rmw::BAD_BINOP);
  const auto Order = AtomicOrdering::SequentiallyConsistent;
  if (Words[1] == "cas")
    return L.Builder.CreateExtractValue(
        L.Builder.CreateAtomicCmpXchg(L.operand(0), L.operand(1), L.operand(2),
                                      MaybeAlign(), Order, Order),
        0);
  if (Op == Rmw::BAD_BINOP)
    return nullptr;
  return L.Builder.CreateAtomicRMW(Op, L.operand(0), L.operand(1), MaybeAlign(),
                                   Order);
}

/// Functions that CUDA has on the device, and what takes their place.
static Value *lowerLibraryCall(CallLowering &L, StringRef Name) {
  if (Name != "vprintf" && Name != "malloc" && Name != "free")
    return nullptr;
  L.Found.Effects = RunEffects::Others;
  const StringRef Runtime = Name == "vprintf"  ? "gpuoccPrint"
                            : Name == "malloc" ? "gpuoccAllocate"
                                               : "gpuoccFree";
  return L.callRuntime(Runtime, L.Call.getType(),
                       SmallVector<Value *, 2>(L.Call.args()));
}

/// \p V, a pointer or a number, as an address of the host.
static Value *asAddress(CallLowering &L, Value *V) {
  Type *T = L.Builder.getInt64Ty();
  return V->getType()->isPointerTy() ? L.Builder.CreatePtrToInt(V, T)
                                     : L.Builder.CreateZExt(V, T);
}

Value *gpuocc::execute::mapShared(CallLowering &L, Value *Address,
                                  Value *Rank) {
  IRBuilder<> &B = L.Builder;
  L.Found.Stacks = true;
  Value *Mapped = L.callRuntime("gpuoccMapShared", B.getInt64Ty(),
                                {L.thread(), asAddress(L, Address), Rank});
  Type *T = L.Call.getType();
  return T->isPointerTy() ? B.CreateIntToPtr(Mapped, T)
                          : B.CreateTrunc(Mapped, T);
}

Value *gpuocc::execute::lowerMemory(CallLowering &L, StringRef Name) {
  IRBuilder<> &B = L.Builder;
  if (Value *V = lowerLibraryCall(L, Name))
    return V;
  if (!Name.consume_front("llvm.nvvm."))
    return nullptr;
  if (Name == "isspacep.shared" || Name == "isspacep.shared.cluster")
    return isShared(L, L.operand(0));
  if (Name == "isspacep.global")
    return B.CreateNot(isShared(L, L.operand(0)));
  if (Name == "isspacep.local" || Name == "isspacep.const")
    return B.getFalse();
  if (Name.starts_with("ldu.global.") || Name.starts_with("ldg.global."))
    return B.CreateAlignedLoad(
        L.Call.getType(), L.operand(0),
        cast<ConstantInt>(L.operand(1))->getMaybeAlignValue());
  if (Name.starts_with("cp.async.ca.shared.") ||
      Name.starts_with("cp.async.cg.shared."))
    return lowerAsyncCopy(L, Name);
  if (Name == "cp.async.commit.group" || Name == "cp.async.wait.group" ||
      Name == "cp.async.wait.all" || Name.starts_with("prefetch") ||
      Name.starts_with("griddepcontrol."))
    return B.getInt32(0);
  if (Name.starts_with("atomic."))
    return lowerScopedAtomic(L, Name);
  if (Name.starts_with("mapa"))
    return mapShared(L, L.operand(0), L.operand(1));
  if (Name.starts_with("getctarank"))
    return L.callRuntime("gpuoccRankOfShared", B.getInt32Ty(),
                         {L.thread(), asAddress(L, L.operand(0))});
  if (Name.starts_with("move."))
    return L.operand(0);
  return nullptr;
}
