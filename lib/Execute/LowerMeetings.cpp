//===- LowerMeetings.cpp - Operations that threads do together ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"
#include "Lowering.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

struct OperationRow {
  WarpOperation Operation;
  StringLiteral Intrinsic;
  bool HasMask;
};

} // namespace

static constexpr OperationRow Operations[] = {
#define WARP_OPERATION(Enum, Intrinsic) {WarpOperation::Enum, Intrinsic, true},
#define WARP_OPERATION_WITHOUT_MASK(Enum, Intrinsic)                           \
  {WarpOperation::Enum, Intrinsic, false},
#include "WarpOperations.def"
};

static const OperationRow *operationOf(StringRef Name) {
  for (const OperationRow &R : Operations) {
    StringRef Pattern = R.Intrinsic;
    if (Pattern.consume_back("*") ? Name.starts_with(Pattern) : Name == Pattern)
      return &R;
  }
  return nullptr;
}

/// Where the operands of \p R's intrinsic are: its mask and its value.
static std::pair<int, int> maskAndValue(const OperationRow &R) {
  if (R.Operation == WarpOperation::Sync)
    return {0, -1};
  if (R.Operation == WarpOperation::ActiveMask)
    return {-1, -1};
  if (!R.HasMask)
    return {-1, 0};
  if (R.Intrinsic.starts_with("llvm.nvvm.redux."))
    return {1, 0};
  return {0, 1};
}

/// \p V, of any type up to 64 bits, as a number of 64.
static Value *asBits(IRBuilder<> &B, Value *V) {
  Type *Bits = B.getIntNTy(V->getType()->getPrimitiveSizeInBits());
  return B.CreateZExt(B.CreateBitCast(V, Bits), B.getInt64Ty());
}

static Value *fromBits(IRBuilder<> &B, Value *Bits, Type *T) {
  const unsigned Size = T->getPrimitiveSizeInBits();
  return B.CreateBitCast(B.CreateTrunc(Bits, B.getIntNTy(Size)), T);
}

CallInst *gpuocc::execute::createMeeting(IRBuilder<> &B, Value *Thread,
                                         uint32_t Operation, uint32_t Site,
                                         ArrayRef<Value *> Operands) {
  Type *T32 = B.getInt32Ty(), *T64 = B.getInt64Ty();
  Module &M = *B.GetInsertBlock()->getModule();
  SmallVector<Value *, 7> All = {Thread, B.getInt32(Operation),
                                 B.getInt32(Site)};
  append_range(All, Operands);
  CallInst *Call =
      B.CreateCall(M.getOrInsertFunction("gpuoccMeet", T64, B.getPtrTy(), T32,
                                         T32, T32, T64, T32, T32),
                   All);
  // The sides of a branch stay two places.
  Call->addFnAttr(Attribute::NoMerge);
  return Call;
}

static Value *lowerWarpOperation(CallLowering &L, const OperationRow &R) {
  L.Found.Stacks = true;
  IRBuilder<> &B = L.Builder;
  const auto [Mask, Operand] = maskAndValue(R);
  const bool IsShuffle = R.Intrinsic.contains(".shfl.");
  Value *Clamp = IsShuffle ? L.operand(unsigned(Operand) + 2) : L.number(0);
  if (Mask < 0)
    Clamp = B.CreateOr(Clamp, WarpRequest::WithoutMask);
  Value *Answer = createMeeting(
      B, L.thread(), uint32_t(R.Operation), L.Found.NumSites++,
      {Mask < 0 ? L.number(~0u) : L.operand(unsigned(Mask)),
       Operand < 0 ? B.getInt64(0) : asBits(B, L.operand(unsigned(Operand))),
       IsShuffle ? L.operand(unsigned(Operand) + 1) : L.number(0), Clamp});
  Type *T = L.Call.getType();
  if (T->isVoidTy())
    return Answer;
  auto *Pair = dyn_cast<StructType>(T);
  if (!Pair)
    return fromBits(B, Answer, T);
  Value *Result = B.CreateInsertValue(
      PoisonValue::get(T), fromBits(B, Answer, Pair->getElementType(0)), 0);
  Value *Predicate = B.CreateTrunc(B.CreateLShr(Answer, 32), B.getInt1Ty());
  return B.CreateInsertValue(Result, Predicate, 1);
}

/// "llvm.nvvm.barrier.cta.red.popc.aligned.all" and the like.
static Value *lowerBarrier(CallLowering &L, StringRef Name) {
  IRBuilder<> &B = L.Builder;
  L.Found.Stacks = true;
  BarrierForm Form = BarrierForm::Sync;
  for (auto [Word, Other] : {std::pair(".arrive.", BarrierForm::Arrive),
                             {".red.popc.", BarrierForm::Count},
                             {".red.and.", BarrierForm::And},
                             {".red.or.", BarrierForm::Or}})
    if (Name.contains(Word))
      Form = Other;
  const bool HasPredicate = Name.contains(".red.");
  Value *Count = Name.ends_with(".count") ? L.operand(1) : L.number(0);
  Value *Predicate =
      HasPredicate
          ? B.CreateZExt(L.operand(L.Call.arg_size() - 1), B.getInt32Ty())
          : L.number(0);
  Value *Answer = L.callRuntime(
      "gpuoccBarrier", B.getInt32Ty(),
      {L.thread(), L.number(uint32_t(Form)), L.operand(0), Count, Predicate});
  return L.Call.getType()->isVoidTy()
             ? Answer
             : B.CreateZExtOrTrunc(Answer, L.Call.getType());
}

/// What hardware orders, and one core after the other does anyway.
static bool isFence(StringRef Name) {
  return Name.starts_with("llvm.nvvm.membar.") ||
         Name.starts_with("llvm.nvvm.fence.");
}

Value *gpuocc::execute::lowerMeeting(CallLowering &L, StringRef Name) {
  IRBuilder<> &B = L.Builder;
  if (const OperationRow *R = operationOf(Name))
    return lowerWarpOperation(L, *R);
  if (Name.starts_with("llvm.nvvm.barrier.cta."))
    return lowerBarrier(L, Name);
  if (isFence(Name))
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  if (Name.starts_with("llvm.nvvm.barrier.cluster.")) {
    L.Found.Stacks = true;
    return L.callRuntime(Name.contains(".arrive") ? "gpuoccArriveAtCluster"
                                                  : "gpuoccWaitForCluster",
                         B.getVoidTy(), {L.thread()});
  }
  if (Name == "llvm.nvvm.nanosleep") {
    L.Found.Stacks = L.Found.Waits = true;
    return L.callRuntime("gpuoccYield", B.getVoidTy(), {L.thread()});
  }
  if (Name == "llvm.nvvm.exit") {
    L.Found.Stacks = true;
    return L.callRuntime("gpuoccExit", B.getVoidTy(), {L.thread()});
  }
  if (Name == "llvm.trap" || Name == "llvm.debugtrap")
    return L.callRuntime("gpuoccTrap", B.getVoidTy(), {L.thread()});
  if (Name == "__assertfail" || Name == "__assert_fail") {
    SmallVector<Value *, 6> Operands = {L.thread()};
    append_range(Operands, L.Call.args());
    Operands.resize(5);
    return L.callRuntime("gpuoccAssert", B.getVoidTy(), Operands);
  }
  return nullptr;
}
