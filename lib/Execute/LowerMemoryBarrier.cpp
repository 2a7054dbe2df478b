//===- LowerMemoryBarrier.cpp - Barriers in shared memory -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "MemoryBarrier.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc::execute;
using namespace llvm;

namespace {

struct StepRow {
  StringLiteral Word;
  BarrierStep Step;
};

} // namespace

/// By the first word of an instruction behind "mbarrier".
static constexpr StepRow Steps[] = {
    {"init", BarrierStep::Init},
    {"arrive", BarrierStep::Arrive},
    {"arrive_drop", BarrierStep::ArriveAndDrop},
    {"expect_tx", BarrierStep::ExpectBytes},
    {"complete_tx", BarrierStep::CompleteBytes},
    {"test_wait", BarrierStep::Test},
    {"try_wait", BarrierStep::Test},
    {"pending_count", BarrierStep::PendingCount}};

static bool hasTime(BarrierStep Step) {
  return Step == BarrierStep::Test || Step == BarrierStep::TestParity;
}

/// The call of the runtime for \p Step at \p Object with \p Operand (default:
/// one arrival) while \p Bytes more are expected.
static Value *callStep(CallLowering &L, BarrierStep Step, Value *Object,
                       Value *Operand, Value *Bytes) {
  IRBuilder<> &B = L.Builder;
  L.Found.Stacks = true;
  L.Found.Waits |= hasTime(Step);
  Type *T64 = B.getInt64Ty();
  if (!Object)
    Object = ConstantPointerNull::get(B.getPtrTy());
  if (Object->getType()->getPointerAddressSpace() != 0)
    Object = B.CreateAddrSpaceCast(Object, B.getPtrTy());
  Value *Answer = L.callRuntime(
      "gpuoccMemoryBarrier", T64,
      {L.thread(), Object, L.number(uint32_t(Step)),
       Operand ? B.CreateZExtOrTrunc(Operand, T64) : B.getInt64(1),
       Bytes ? B.CreateZExtOrTrunc(Bytes, B.getInt32Ty()) : L.number(0)});
  Type *Wanted = L.Call.getType();
  return Wanted->isIntegerTy() ? B.CreateZExtOrTrunc(Answer, Wanted) : Answer;
}

static std::optional<BarrierStep> stepOf(StringRef Word) {
  for (const StepRow &R : Steps)
    if (R.Word == Word)
      return R.Step;
  return std::nullopt;
}

Value *gpuocc::execute::lowerMemoryBarrier(CallLowering &L,
                                           ArrayRef<StringRef> Words,
                                           Value *Object,
                                           ArrayRef<Value *> Operands) {
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  Value *First = Operands.empty() ? nullptr : Operands[0];
  if (Words[0] == "inval")
    return L.number(0);
  std::optional<BarrierStep> Step = stepOf(Words[0]);
  if (!Step)
    return nullptr;
  if (*Step == BarrierStep::Test && Has("parity"))
    Step = BarrierStep::TestParity;
  if (*Step == BarrierStep::ExpectBytes ||
      (Words.size() > 1 && Has("expect_tx")))
    return callStep(L, *Step, Object, nullptr, First);
  return callStep(L, *Step, Object, First, nullptr);
}

Value *gpuocc::execute::lowerMemoryBarrier(CallLowering &L, StringRef Name) {
  const bool IsCopy = Name.consume_front("llvm.nvvm.cp.async.mbarrier.arrive");
  if (IsCopy) {
    // Copies are complete; what counts itself in leaves the count as it is.
    return Name.starts_with(".noinc") ? callStep(L, BarrierStep::Arrive,
                                                 L.operand(0), nullptr, nullptr)
                                      : L.number(0);
  }
  if (!Name.consume_front("llvm.nvvm.mbarrier."))
    return nullptr;
  // "arrive.drop.expect.tx.scope.cta.space.cta" is "arrive_drop.expect_tx".
  std::string Text = Name.str();
  for (StringRef Pair : {"arrive.drop", "expect.tx", "complete.tx", "test.wait",
                         "try.wait", "pending.count"})
    if (const size_t At = StringRef(Text).find(Pair); At != StringRef::npos)
      Text[At + Pair.find('.')] = '_';
  SmallVector<StringRef, 8> Words;
  StringRef(Text).split(Words, '.');
  SmallVector<Value *, 3> Operands(L.Call.args());
  if (Words[0] == "pending_count")
    return lowerMemoryBarrier(L, Words, nullptr, Operands);
  return lowerMemoryBarrier(L, Words, Operands.front(),
                            ArrayRef<Value *>(Operands).drop_front());
}
