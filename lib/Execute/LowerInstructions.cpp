//===- LowerInstructions.cpp - Single instructions of PTX -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// "atom.add.u32 $0, [$1+4], $2;": words of the mnemonic, and operands.
class PtxInstruction {
public:
  PtxInstruction(CallLowering &L, StringRef Text);

  Value *lower();

private:
  bool has(StringRef Word) const { return is_contained(Words, Word); }
  /// Operand \p I as a value: a register or a number. Null for others.
  Value *value(unsigned I, Type *T = nullptr);
  /// The pointer that "[$1+4]" stands for.
  Value *address(unsigned I);
  /// "$N": the argument of the call; null for results.
  Value *argument(StringRef Name);

  Value *specialRegister();
  Value *atomic();
  Value *load();
  Value *store();
  Value *memoryBarrier();
  Value *asyncCopy();
  Value *bulkCopy();
  Value *mapped();
  Value *sleep();
  Value *arithmetic();

  CallLowering &L;
  IRBuilder<> &B;
  SmallVector<StringRef, 8> Words;
  SmallVector<StringRef, 6> Operands;
  unsigned NumResults = 0;
};

} // namespace

PtxInstruction::PtxInstruction(CallLowering &L, StringRef Text)
    : L(L), B(L.Builder) {
  Text = Text.trim();
  Text.consume_back(";");
  auto [Mnemonic, Rest] = Text.split(' ');
  Mnemonic.split(Words, '.');
  SmallVector<StringRef, 6> Parts;
  Rest.split(Parts, ',');
  for (StringRef P : Parts)
    Operands.push_back(P.trim());
  const auto &Assembly = *cast<InlineAsm>(L.Call.getCalledOperand());
  for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints())
    NumResults += C.Type == InlineAsm::isOutput;
}

Value *PtxInstruction::argument(StringRef Name) {
  unsigned I = 0;
  if (!Name.consume_front("$") || Name.getAsInteger(10, I) || I < NumResults ||
      I - NumResults >= L.Call.arg_size())
    return nullptr;
  return L.operand(I - NumResults);
}

Value *PtxInstruction::value(unsigned I, Type *T) {
  if (I >= Operands.size())
    return nullptr;
  if (Value *V = argument(Operands[I]))
    return V;
  int64_t Number = 0;
  if (Operands[I].getAsInteger(0, Number))
    return nullptr;
  return ConstantInt::getSigned(T ? T : B.getInt32Ty(), Number);
}

Value *PtxInstruction::address(unsigned I) {
  if (I >= Operands.size())
    return nullptr;
  StringRef Text = Operands[I];
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return nullptr;
  auto [Base, Offset] = Text.split('+');
  Value *V = argument(Base.trim());
  if (!V)
    return nullptr;
  if (!V->getType()->isPointerTy())
    V = B.CreateIntToPtr(B.CreateZExt(V, B.getInt64Ty()), B.getPtrTy());
  int64_t Bytes = 0;
  if (!Offset.empty() && Offset.trim().getAsInteger(0, Bytes))
    return nullptr;
  return Bytes ? B.CreateGEP(B.getInt8Ty(), V, B.getInt64(uint64_t(Bytes))) : V;
}

/// "mov.u32 $0, %envreg1".
Value *PtxInstruction::specialRegister() {
  if (Words.front() != "mov" || Operands.size() != 2)
    return nullptr;
  StringRef Name = Operands[1];
  if (!Name.consume_front("%"))
    return nullptr;
  // The system's part of shared memory lies before the kernel's.
  if (Name.starts_with("reserved_smem_offset_"))
    return B.CreateTrunc(
        B.CreatePtrToInt(
            L.field(L.block(), offsetof(BlockState, Shared), B.getPtrTy()),
            B.getInt64Ty()),
        L.Call.getType());
  std::string Dotted = Name.str();
  llvm::replace(Dotted, '_', '.');
  return lowerSpecialRegister(L, "llvm.nvvm.read.ptx.sreg." + Dotted);
}

/// "atom" and "red" of what LLVM has an operation for.
Value *PtxInstruction::atomic() {
  const bool HasResult = Words.front() == "atom";
  if (!HasResult && Words.front() != "red")
    return nullptr;
  const unsigned At = HasResult ? 1 : 0;
  Value *Where = address(At), *V = value(At + 1);
  if (!Where || !V)
    return nullptr;
  StringRef Text = Words.back();
  // ".noftz" stands before the type, "v2" behind the operation.
  if (has("v2") || has("v4") || has("v8"))
    return nullptr;
  Type *Held = V->getType();
  Type *T = StringSwitch<Type *>(Text)
                .Case("f16", B.getHalfTy())
                .Case("bf16", B.getBFloatTy())
                .Case("f16x2", FixedVectorType::get(B.getHalfTy(), 2))
                .Case("bf16x2", FixedVectorType::get(B.getBFloatTy(), 2))
                .Default(Held);
  const bool IsFloat = T->isFPOrFPVectorTy();
  const bool IsSigned = Text.starts_with("s");
  using Rmw = AtomicRMWInst;
  Rmw::BinOp Op = Rmw::BAD_BINOP;
  for (StringRef Word : drop_begin(Words))
    if (Op == Rmw::BAD_BINOP)
      Op = StringSwitch<Rmw::BinOp>(Word)
               .Case("add", IsFloat ? Rmw::FAdd : Rmw::Add)
               .Case("and", Rmw::And)
               .Case("or", Rmw::Or)
               .Case("xor", Rmw::Xor)
               .Case("exch", Rmw::Xchg)
               .Case("min", IsFloat    ? Rmw::FMin
                            : IsSigned ? Rmw::Min
                                       : Rmw::UMin)
               .Case("max", IsFloat    ? Rmw::FMax
                            : IsSigned ? Rmw::Max
                                       : Rmw::UMax)
               .Case("inc", Rmw::UIncWrap)
               .Case("dec", Rmw::UDecWrap)
               .Default(Rmw::BAD_BINOP);
  const auto Order = AtomicOrdering::SequentiallyConsistent;
  Value *Old = nullptr;
  if (has("cas")) {
    Value *New = value(At + 2);
    if (!New)
      return nullptr;
    Old = B.CreateExtractValue(
        B.CreateAtomicCmpXchg(Where, V, New, MaybeAlign(), Order, Order), 0);
  } else {
    if (Op == Rmw::BAD_BINOP)
      return nullptr;
    Old = B.CreateBitCast(B.CreateAtomicRMW(Op, Where, B.CreateBitCast(V, T),
                                            MaybeAlign(), Order),
                          Held);
  }
  return HasResult && Old->getType() != L.Call.getType()
             ? B.CreateBitCast(Old, L.Call.getType())
             : Old;
}

/// Loads whose order matters, and vectors of them.
Value *PtxInstruction::load() {
  if (Words.front() != "ld" && Words.front() != "ldu")
    return nullptr;
  Value *Where = address(1);
  Type *T = L.Call.getType();
  if (!Where || T->isStructTy())
    return nullptr;
  const unsigned Bits = T->getPrimitiveSizeInBits();
  unsigned Held = 0;
  Words.back().drop_front(1).getAsInteger(10, Held);
  if (Held == 0 || Held > Bits)
    return nullptr;
  Type *InMemory = Held == Bits ? T : B.getIntNTy(Held);
  LoadInst *Load = B.CreateAlignedLoad(InMemory, Where, Align(Held / 8));
  if (has("acquire") || has("relaxed") || has("volatile"))
    Load->setAtomic(AtomicOrdering::Acquire);
  if (Held == Bits)
    return Load;
  return Words.back().starts_with("s") ? B.CreateSExt(Load, T)
                                       : B.CreateZExt(Load, T);
}

Value *PtxInstruction::store() {
  if (Words.front() != "st")
    return nullptr;
  Value *Where = address(0), *V = value(1);
  unsigned Held = 0;
  Words.back().drop_front(1).getAsInteger(10, Held);
  if (!Where || !V || Held == 0 ||
      Held > V->getType()->getPrimitiveSizeInBits())
    return nullptr;
  if (Held != V->getType()->getPrimitiveSizeInBits())
    V = B.CreateTrunc(V, B.getIntNTy(Held));
  StoreInst *Store = B.CreateAlignedStore(V, Where, Align(Held / 8));
  if (has("release") || has("relaxed") || has("volatile"))
    Store->setAtomic(AtomicOrdering::Release);
  return Store;
}

Value *PtxInstruction::memoryBarrier() {
  if (Words.front() != "mbarrier" || Words.size() < 2)
    return nullptr;
  // Results stand before the object; "_" is one that nobody wants.
  const bool HasObject = Words[1] != "pending_count";
  unsigned At = 0;
  while (HasObject && At < Operands.size() && !Operands[At].starts_with("["))
    ++At;
  Value *Object = HasObject ? address(At) : nullptr;
  if (HasObject && !Object)
    return nullptr;
  SmallVector<Value *, 2> Given;
  for (unsigned I = At + 1; I < Operands.size(); ++I) {
    Given.push_back(value(I));
    if (!Given.back())
      return nullptr;
  }
  return lowerMemoryBarrier(L, ArrayRef(Words).drop_front(), Object, Given);
}

/// Copies are made at once: what waits for them has nothing to do.
Value *PtxInstruction::asyncCopy() {
  if (Words.size() < 3 || Words[0] != "cp" || Words[1] != "async")
    return nullptr;
  if (has("commit_group") || has("wait_group") || has("wait_all") ||
      has("prefetch"))
    return L.number(0);
  if (has("bulk"))
    return bulkCopy();
  Value *To = address(0), *From = address(1);
  uint64_t Bytes = 0;
  if (!To || !From || Operands.size() < 3 ||
      Operands[2].getAsInteger(10, Bytes) || Bytes > 16)
    return nullptr;
  if (Operands.size() == 3)
    return B.CreateMemCpy(To, Align(1), From, Align(1), Bytes);
  // The bytes that are read; zeros fill the rest.
  Value *Read = value(3);
  if (!Read || Read->getType()->isIntegerTy(1))
    return nullptr;
  B.CreateMemSet(To, B.getInt8(0), Bytes, MaybeAlign());
  return B.CreateMemCpy(To, Align(1), From, Align(1),
                        B.CreateZExtOrTrunc(Read, B.getInt64Ty()));
}

/// "cp.async.bulk" of a row of bytes, whose arrival a barrier in shared memory
/// counts where it is named.
Value *PtxInstruction::bulkCopy() {
  if (has("tensor") || has("multicast::cluster") || has("cp_mask"))
    return nullptr;
  Value *To = address(0), *From = address(1), *Bytes = value(2);
  if (!To || !From || !Bytes)
    return nullptr;
  Value *Copied = B.CreateMemCpy(To, Align(1), From, Align(1),
                                 B.CreateZExt(Bytes, B.getInt64Ty()));
  if (!has("mbarrier::complete_tx::bytes"))
    return Copied;
  Value *Object = address(3);
  const StringRef Complete[] = {"complete_tx"};
  return Object ? lowerMemoryBarrier(L, Complete, Object, {Bytes}) : nullptr;
}

Value *PtxInstruction::mapped() {
  if (Words.front() != "mapa" || Operands.size() != 3)
    return nullptr;
  Value *Address = value(1), *Rank = value(2);
  return Address && Rank ? mapShared(L, Address, Rank) : nullptr;
}

/// What intrinsics have too: "rcp.approx.ftz.f32" is "rcp.approx.ftz.f". Its
/// operands are the registers in their order.
Value *PtxInstruction::arithmetic() {
  for (unsigned I = 1; I < Operands.size(); ++I)
    if (Operands[I] != ("$" + Twine(I)).str())
      return nullptr;
  const StringRef Type = Words.back();
  // "dp4a.s32.u32" is "idp4a.s.u".
  if (Words.front() == "dp4a" && Words.size() == 3)
    return lowerArithmetic(L, ("llvm.nvvm.idp4a." + Words[1].take_front() +
                               "." + Words[2].take_front())
                                  .str());
  std::string Name = "llvm.nvvm";
  for (StringRef Word : drop_end(Words))
    Name += ("." + Word).str();
  Name += Type == "f32" ? ".f" : Type == "f64" ? ".d" : ("." + Type).str();
  return lowerArithmetic(L, Name);
}

/// Who waits for others lets them run.
Value *PtxInstruction::sleep() {
  return Words.front() == "nanosleep" ? lowerMeeting(L, "llvm.nvvm.nanosleep")
                                      : nullptr;
}

Value *PtxInstruction::lower() {
  for (auto Family : {&PtxInstruction::specialRegister, &PtxInstruction::atomic,
                      &PtxInstruction::load, &PtxInstruction::store,
                      &PtxInstruction::memoryBarrier,
                      &PtxInstruction::asyncCopy, &PtxInstruction::mapped,
                      &PtxInstruction::sleep, &PtxInstruction::arithmetic})
    if (Value *V = (this->*Family)())
      return V;
  return nullptr;
}

Value *gpuocc::execute::lowerInstruction(CallLowering &L, StringRef Text) {
  if (Value *V = lowerSteps(L, Text))
    return V;
  if (Value *V = lowerTexture(L, Text))
    return V;
  if (Value *V = lowerMatrixInstruction(L, Text))
    return V;
  return PtxInstruction(L, Text).lower();
}
