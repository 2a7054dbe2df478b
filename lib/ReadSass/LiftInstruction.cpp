//===- LiftInstruction.cpp - What a machine instruction computes ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands and modifiers are those of the disassembler of the CUDA toolkit; no
// manual says what they mean. Instructions that addresses, conditions and trip
// counts are made of are written out; their meaning was taken from code whose
// source is known.
//
//===----------------------------------------------------------------------===//

#include "LiftInstruction.h"
#include "LogicTable.h"
#include "SassText.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace gpuocc;
using namespace llvm;

namespace {

using Kind = SassOperand::Kind;

constexpr uint64_t LowWord = 0xffffffff;

class Lifter {
public:
  Lifter(const SassInstruction &I, const SassOpcode &Row,
         const Operation &Machine, const LiftContext &Context,
         std::optional<bool> Condition)
      : I(I), Row(Row), Machine(Machine), Context(Context),
        Condition(Condition) {
    for (StringRef Text : I.Operands)
      In.push_back(parseSassOperand(Text));
    StringRef(I.Opcode).split(Parts, '.');
    Name = Parts.front();
    if (isUniformForm(Name))
      Name = Name.drop_front();
  }

  LiftedInstruction run() {
    if (!liftGuard())
      return machineAlone(/*DoesNothing=*/true);
    if (Row.Class == InstClass::Branch || Row.Class == InstClass::Exit)
      return liftBranch();
    if (isAccess())
      return liftAccess();
    if (Guarded)
      keepGuard();
    if (!liftValue() || !Ok || Main == None)
      return machineAlone(/*DoesNothing=*/false);
    return {std::move(Steps), Main};
  }

private:
  const SassInstruction &I;
  const SassOpcode &Row;
  const Operation &Machine;
  const LiftContext &Context;
  std::optional<bool> Condition;
  SmallVector<SassOperand, 8> In;
  SmallVector<StringRef, 8> Parts;
  StringRef Name;

  /// A register or a number.
  using Ref = SassRef;

  static constexpr size_t None = ~size_t(0);
  SmallVector<SassStep, 4> Steps;
  size_t Main = None;
  RegisterId NextTemporary = FirstTemporary;
  bool Ok = true;
  bool Guarded = false, GuardNegated = false;
  RegisterId Guard = 0;
  Ref GuardValue;

  static bool isUniformForm(StringRef Name) {
    static constexpr StringLiteral Forms[] = {
        "UMOV",  "UIADD3", "UIMAD",  "ULEA",  "ULOP3",   "USHF",  "UISETP",
        "USEL",  "UIMNMX", "UPRMT",  "UFLO",  "UPOPC",   "UBREV", "UBMSK",
        "USGXT", "UPLOP3", "UVIADD", "UIABS", "UVIMNMX", "ULDC"};
    return is_contained(Forms, Name);
  }

  bool has(StringRef Modifier) const {
    return is_contained(drop_begin(Parts), Modifier);
  }

  // Steps.

  /// An operation that costs nothing.
  Ref add(Semantics What, unsigned Bits, ArrayRef<Ref> Inputs,
          unsigned FromBits = 0, int64_t Imm = 0) {
    SassStep S;
    S.Op.What = What;
    S.Op.Opcode = semanticsText(What).str();
    S.Op.Bits = uint8_t(Bits);
    S.Op.FromBits = uint8_t(FromBits);
    S.Op.Imm = Imm;
    S.Op.Block = Machine.Block;
    S.Op.Location = Machine.Location;
    S.Use.HasOperands = true;
    for (const Ref &R : Inputs) {
      if (R.IsNumber) {
        S.Op.Operands.push_back(R.IsSymbol ? Operand::symbol(uint32_t(R.Number))
                                           : Operand::immediate(R.Number));
        continue;
      }
      S.Op.Operands.push_back(Operand::value(uint32_t(S.Use.Reads.size())));
      S.Use.Reads.push_back(R.Register);
    }
    if (NextTemporary == NumRegisterIds)
      return fail();
    const RegisterId To = NextTemporary++;
    S.Use.Writes.push_back(To);
    Steps.push_back(std::move(S));
    return Ref::of(To);
  }

  /// The instruction itself.
  Ref core(Semantics What, unsigned Bits, ArrayRef<Ref> Inputs,
           unsigned FromBits = 0, int64_t Imm = 0) {
    const Ref R = add(What, Bits, Inputs, FromBits, Imm);
    makeMain();
    return R;
  }

  /// Makes the last step stand for the instruction.
  void makeMain() {
    if (Main != None || Steps.empty())
      return;
    Main = Steps.size() - 1;
    Operation &Op = Steps.back().Op;
    Op.Opcode = Machine.Opcode;
    Op.Emits = Machine.Emits;
    Op.Origin = Machine.Origin;
    Op.Control = Machine.Control;
  }

  Ref fail() {
    Ok = false;
    return Ref::number(0);
  }

  /// Writes \p Value, \p Bits wide, to \p To.
  void write(RegisterId To, Ref Value, unsigned Bits = 32) {
    if (Guarded) {
      Ref New = Value, Old = Ref::of(To);
      if (GuardNegated)
        std::swap(New, Old);
      Value = add(Semantics::Select, Bits, {New, Old, GuardValue});
    }
    const bool IsLast = !Steps.empty() && !Value.IsNumber &&
                        Steps.back().Use.Writes.size() == 1 &&
                        Steps.back().Use.Writes.front() == Value.Register &&
                        Value.Register >= FirstTemporary;
    if (!IsLast)
      Value = add(Semantics::Copy, Bits, {Value});
    if (Main == None)
      makeMain();
    if (Ok)
      Steps.back().Use.Writes.front() = To;
  }

  void write(const SassOperand &To, Ref Value, unsigned Bits = 32) {
    if (To.K == Kind::Predicate)
      Bits = 1;
    else if (To.K != Kind::Register)
      fail();
    if (!To.IsConstant)
      write(To.First, Value, Bits);
    else
      // What nobody keeps is computed all the same.
      makeMain();
  }

  /// Writes the 64 bits of \p Value to the register of \p To and the next.
  void writePair(const SassOperand &To, Ref Value) {
    if (To.K != Kind::Register) {
      fail();
      return;
    }
    if (To.IsConstant)
      return makeMain();
    const Ref Low = add(Semantics::Unpack, 32, {Value}, 64);
    if (!Ok)
      return;
    if (!Guarded) {
      Steps.back().Op.NumResults = 2;
      Steps.back().Use.Writes = {To.First, RegisterId(To.First + 1)};
      return;
    }
    const Ref High = add(Semantics::High, 32, {Value}, 64);
    write(To.First, Low);
    write(RegisterId(To.First + 1), High);
  }

  // Operands.

  Ref reg(const SassOperand &O) {
    return O.IsConstant ? Ref::number(0) : Ref::of(O.First);
  }

  Ref predicate(const SassOperand &O) {
    if (O.K != Kind::Predicate)
      return fail();
    if (O.IsConstant)
      return Ref::number(O.IsInverted ? 0 : 1);
    return O.IsInverted ? add(Semantics::Not, 1, {Ref::of(O.First)})
                        : Ref::of(O.First);
  }

  Ref predicateOr(size_t Index, bool Default) {
    return Index < In.size() ? predicate(In[Index])
                             : Ref::number(Default ? 1 : 0);
  }

  /// 32 bits, as they stand.
  Ref plain(const SassOperand &O) {
    switch (O.K) {
    case Kind::Register:
      return reg(O);
    case Kind::Immediate:
      return Ref::number(int64_t(uint64_t(O.Imm) & LowWord));
    case Kind::Constant:
      return constant(O, 32);
    default:
      return fail();
    }
  }

  /// 32 bits of an integer.
  Ref word(const SassOperand &O) {
    Ref R = plain(O);
    if (O.IsAbsolute)
      R = add(Semantics::Abs, 32, {R});
    if (O.IsInverted)
      R = add(Semantics::Not, 32, {R});
    return O.IsNegated ? add(Semantics::Neg, 32, {R}) : R;
  }

  Ref word(size_t Index) {
    return Index < In.size() ? word(In[Index]) : fail();
  }

  Ref packed(RegisterId Low, RegisterId High) {
    return add(Semantics::Pack, 64, {Ref::of(Low), Ref::of(High)});
  }

  /// 64 bits: a register and the next.
  Ref pair(const SassOperand &O) {
    Ref R = Ref::number(0);
    if (O.K == Kind::Register && !O.IsConstant)
      R = packed(O.First, RegisterId(O.First + 1));
    else if (O.K == Kind::Constant)
      R = constant(O, 64);
    else if (O.K == Kind::Immediate)
      R = Ref::number(O.Imm);
    else if (O.K != Kind::Register)
      return fail();
    return O.IsNegated ? add(Semantics::Neg, 64, {R}) : R;
  }

  Ref special(SpecialReg R) {
    const Ref Value = add(Semantics::SReg, 32, {});
    if (Ok)
      Steps.back().Op.SReg = R;
    return Value;
  }

  /// What is unknown, the same in all lanes.
  Ref unknown(unsigned Bits) { return add(Semantics::Opaque, Bits, {}); }

  /// \p Bits bits of constant memory.
  Ref constant(const SassOperand &O, unsigned Bits) {
    if (!O.Terms.empty())
      return fail();
    const SassKernel &Of = Context.Of;
    if (O.Bank == 4) {
      auto Symbol = Of.SymbolAtConstant.find(O.Offset & ~int64_t(7));
      if (Symbol == Of.SymbolAtConstant.end())
        return unknown(Bits);
      const Ref Address =
          add(Semantics::SymbolAddress, 64, {Ref::symbol(Symbol->second)});
      if (Bits == 64)
        return Address;
      return (O.Offset & 4) ? add(Semantics::High, 32, {Address}, 64)
                            : add(Semantics::Trunc, 32, {Address}, 64);
    }
    if (O.Bank != 0)
      return unknown(Bits);
    if (O.Offset >= Of.ParameterOffset)
      return parameter(O.Offset - Of.ParameterOffset, Bits);
    static constexpr SpecialReg Extents[] = {
        SpecialReg::NTidX,   SpecialReg::NTidY,   SpecialReg::NTidZ,
        SpecialReg::NCtaIdX, SpecialReg::NCtaIdY, SpecialReg::NCtaIdZ};
    for (unsigned Index = 0; Index != std::size(Extents); ++Index)
      if (O.Offset == Of.Layout.Extents[Index] && Bits == 32)
        return special(Extents[Index]);
    if (O.Offset == Of.Layout.Stack)
      return Ref::number(int64_t(Of.Resources.StackBytes));
    return unknown(Bits);
  }

  /// \p Bits bits at \p Offset of the parameters.
  Ref parameter(int64_t Offset, unsigned Bits) {
    auto Whole = find_if(Context.Of.Parameters, [&](const Parameter &P) {
      return P.SizeBytes == 8 && uint64_t(Offset) >= P.OffsetBytes &&
             uint64_t(Offset) < P.OffsetBytes + 8;
    });
    const int64_t InBank = Offset + Context.Of.ParameterOffset;
    int64_t Low = Offset;
    bool IsPart = Bits == 32;
    if (Whole != Context.Of.Parameters.end())
      Low = int64_t(Whole->OffsetBytes);
    else if (Context.WideOffsets.count(InBank - 4))
      Low = Offset - 4;
    else
      IsPart &= Context.WideOffsets.count(InBank) != 0;
    if (!IsPart)
      return add(Semantics::Param, Bits, {}, 0, Offset);
    const Ref All = add(Semantics::Param, 64, {}, 0, Low);
    return Low == Offset ? add(Semantics::Trunc, 32, {All}, 64)
                         : add(Semantics::High, 32, {All}, 64);
  }

  // Guards.

  /// False if the instruction never runs.
  bool liftGuard() {
    if (I.Predicate.empty())
      return true;
    const SassOperand O = parseSassOperand(I.Predicate);
    if (O.K != Kind::Predicate)
      return true;
    if (O.IsConstant)
      return !O.IsInverted;
    Guarded = true;
    GuardNegated = O.IsInverted;
    Guard = O.First;
    GuardValue = Ref::of(Guard);
    return true;
  }

  /// The instruction may write its own guard.
  void keepGuard() { GuardValue = add(Semantics::Copy, 1, {GuardValue}); }

  /// The instruction with unknown results.
  LiftedInstruction machineAlone(bool DoesNothing) {
    LiftedInstruction M;
    M.Steps.emplace_back();
    M.Steps.back().Op = Machine;
    if (!DoesNothing)
      M.Steps.back().Use = registerUse(I, Row);
    M.Steps.back().Op.NumResults = uint8_t(M.Steps.back().Use.Writes.size());
    if (Row.ResultRegisters == 0 && !M.Steps.back().Use.Writes.empty())
      M.Steps.back().Op.Bits = 1;
    // Lanes that a guard leaves out keep the old value, which is among the
    // operands.
    RegisterUse &Use = M.Steps.back().Use;
    if (Guarded && !Use.Writes.empty()) {
      Use.Reads.append(Use.Writes);
      Use.Guard = -1;
    }
    return M;
  }

  /// Conditions besides the guard: "@P0 BRA P1, `(.L_x_1)".
  LiftedInstruction liftBranch() {
    Ref Taken = Ref::number(1);
    if (Guarded)
      Taken = GuardNegated ? add(Semantics::Not, 1, {GuardValue}) : GuardValue;
    for (const SassOperand &O : In)
      if (O.K == Kind::Predicate)
        Taken = Taken.IsNumber && Taken.Number
                    ? predicate(O)
                    : add(Semantics::And, 1, {Taken, predicate(O)});
    if (Condition)
      Taken = Ref::number(*Condition ? 1 : 0);
    if (Taken.IsNumber)
      Taken = add(Semantics::Copy, 1, {Taken});
    SassStep S;
    S.Op = Machine;
    S.Op.NumResults = 0;
    S.Op.GuardNegated = false;
    S.Use.HasOperands = true;
    S.Use.Guard = Taken.Register;
    S.Use.Reads.push_back(Taken.Register);
    S.Op.Operands.push_back(Operand::value(0));
    Steps.push_back(std::move(S));
    return {std::move(Steps), Steps.size() - 1};
  }

  // Memory.

  bool isAccess() const {
    const bool IndexedConstant = Row.Class == InstClass::Ldc && In.size() > 1 &&
                                 In[1].K == Kind::Constant &&
                                 !In[1].Terms.empty();
    return IndexedConstant ||
           (Row.Form != SassForm::Compute && Row.Form != SassForm::NoResult);
  }

  /// The registers of an address added up; Offset is left out.
  Ref address(const SassOperand &O, bool IsWide) {
    Ref Sum = Ref::number(0);
    const unsigned Bits = IsWide ? 64 : 32;
    for (const SassOperand::Term &T : O.Terms) {
      Ref R = Ref::of(T.First);
      if (IsWide && T.IsUnsigned32)
        R = add(Semantics::ZExt, 64, {R}, 32);
      else if (IsWide)
        R = packed(T.First, RegisterId(T.First + 1));
      if (T.Scale > 1)
        R = add(Semantics::Shl, Bits, {R, Ref::number(Log2_32(T.Scale))});
      Sum = Sum.IsNumber ? R : add(Semantics::Add, Bits, {Sum, R});
    }
    return Sum;
  }

  bool isWide() const {
    switch (Row.Class) {
    case InstClass::Ldc:
      return false;
    default:
      return !hasTrait(Row.Class, InstTrait::OfShared) &&
             !hasTrait(Row.Class, InstTrait::OfLocal);
    }
  }

  LiftedInstruction liftAccess() {
    RegisterUse Use = registerUse(I, Row);
    SmallVector<const SassOperand *, 2> Addresses;
    for (const SassOperand &O : In)
      if (O.K == Kind::Address ||
          (O.K == Kind::Constant && Row.Class == InstClass::Ldc))
        Addresses.push_back(&O);
    // The first address of a copy is that in shared memory.
    Ref Base = Ref::number(0), Shared = Ref::number(0);
    if (Row.Form == SassForm::AsyncCopy && Addresses.size() == 2) {
      Shared = address(*Addresses[0], /*IsWide=*/false);
      Base = address(*Addresses[1], /*IsWide=*/true);
      Use.OffsetBytes = Addresses[1]->Offset;
      Use.SharedOffsetBytes = Addresses[0]->Offset;
    } else if (!Addresses.empty()) {
      Base = address(*Addresses[0], isWide());
      Use.OffsetBytes = Addresses[0]->Offset;
    }
    const bool ReadsOld = Guarded && !Use.Writes.empty();
    const SmallVector<RegisterId, 2> To = Use.Writes;
    SassStep S;
    S.Op = Machine;
    S.Op.NumResults = uint8_t(Use.Writes.size());
    S.Op.GuardNegated = GuardNegated;
    S.Op.What = Semantics::Load;
    S.Use.HasOperands = true;
    auto Read = [&](Ref R) {
      S.Op.Operands.push_back(
          R.IsNumber ? Operand::immediate(R.Number)
                     : Operand::value(uint32_t(S.Use.Reads.size())));
      if (!R.IsNumber)
        S.Use.Reads.push_back(R.Register);
    };
    Read(Base);
    // What is stored, by the registers that hold it.
    for (RegisterId R : Use.Reads)
      if (none_of(Addresses, [&](const SassOperand *O) {
            return any_of(O->Terms, [&](const SassOperand::Term &T) {
              return R == T.First || R == T.First + 1;
            });
          }))
        Read(Ref::of(R));
    S.Use.Guard = Guarded ? int(Guard) : -1;
    if (Guarded)
      S.Use.Reads.push_back(Guard);
    S.Use.AddressRegister = Base.IsNumber ? -1 : int(Base.Register);
    S.Use.SharedAddressRegister = Shared.IsNumber ? -1 : int(Shared.Register);
    S.Use.OffsetBytes = Use.OffsetBytes;
    S.Use.SharedOffsetBytes = Use.SharedOffsetBytes;
    if (ReadsOld) {
      keepGuard();
      S.Use.Guard = GuardValue.Register;
      for (size_t K = 0; K != To.size(); ++K)
        S.Use.Writes.push_back(RegisterId(NextTemporary++));
    } else {
      S.Use.Writes = Use.Writes;
    }
    Main = Steps.size();
    const SmallVector<RegisterId, 2> Loaded = S.Use.Writes;
    Steps.push_back(std::move(S));
    if (ReadsOld)
      for (auto [Register, Value] : zip(To, Loaded))
        write(Register, Ref::of(Value), isPredicateRegister(Register) ? 1 : 32);
    return {std::move(Steps), Main};
  }

  // Values.

  bool liftValue() {
    using Lift = void (Lifter::*)();
    const Lift How =
        StringSwitch<Lift>(Name)
            .Cases({"MOV", "MOV32I", "R2UR"}, &Lifter::move)
            .Case("IMAD", &Lifter::multiply)
            .Cases({"IADD3", "VIADD", "IADD", "IADD32I"}, &Lifter::addUp)
            .Case("LEA", &Lifter::shiftAndAdd)
            .Case("LOP3", &Lifter::logic)
            .Case("PLOP3", &Lifter::predicateLogic)
            .Case("SHF", &Lifter::funnel)
            .Case("ISETP", &Lifter::compare)
            .Cases({"SEL", "FSEL"}, &Lifter::select)
            .Cases({"IMNMX", "VIMNMX"}, &Lifter::extreme)
            .Cases({"IABS", "POPC", "BREV", "FLO"}, &Lifter::unary)
            .Case("PRMT", &Lifter::permute)
            .Cases({"SGXT", "BMSK"}, &Lifter::field)
            .Case("VABSDIFF", &Lifter::absoluteDifference)
            .Case("IDP", &Lifter::dotProduct)
            .Case("MATCH", &Lifter::match)
            .Cases({"S2R", "S2UR", "CS2R"}, &Lifter::readSpecial)
            .Cases({"LDC", "LDCU"}, &Lifter::loadConstant)
            .Cases({"VOTE", "VOTEU"}, &Lifter::vote)
            .Case("SHFL", &Lifter::shuffle)
            .Cases({"FADD", "FMUL", "FFMA"}, &Lifter::floats)
            .Cases({"DADD", "DMUL", "DFMA"}, &Lifter::doubles)
            .Cases({"FSETP", "DSETP"}, &Lifter::compareFloats)
            .Case("FMNMX", &Lifter::floatExtreme)
            .Case("MUFU", &Lifter::function)
            .Cases({"I2F", "I2FP", "F2I"}, &Lifter::convert)
            .Cases({"HFMA2", "FCHK"}, &Lifter::fixedValue)
            .Default(nullptr);
    // The load of a constant is "LDC" in all of its forms.
    if (Name == "LDC" || Row.Class == InstClass::Uldc)
      loadConstant();
    else if (How)
      (this->*How)();
    else
      return false;
    return Ok;
  }

  bool takes(size_t Count) {
    if (In.size() < Count)
      Ok = false;
    return Ok;
  }

  void move() {
    if (takes(2))
      write(In[0], core(Semantics::Copy, 32, {word(1)}));
  }

  /// \p Sum with the carry \p Carry, a predicate, added.
  Ref withCarry(Ref Sum, Ref Carry, unsigned Bits) {
    if (Carry.IsNumber && Carry.Number == 0)
      return Sum;
    const Ref Wide = Carry.IsNumber
                         ? Carry
                         : add(Semantics::ZExt, Bits, {Carry}, /*FromBits=*/1);
    return core(Semantics::Add, Bits, {Sum, Wide});
  }

  void multiply() {
    size_t First = 1;
    // A carry out is not followed.
    if (In.size() > 1 && In[1].K == Kind::Predicate) {
      fail();
      return;
    }
    if (!takes(First + 3))
      return;
    const SassOperand &A = In[1], &B = In[2], &C = In[3];
    const bool IsUnsigned = has("U32");
    const bool ByZero = A.isZero() || B.isZero();
    if (has("WIDE") || has("HI")) {
      Ref Product;
      if (ByZero)
        Product = core(Semantics::Copy, 64, {pair(C)});
      else if (C.isZero())
        Product = core(IsUnsigned ? Semantics::MulWideU : Semantics::MulWideS,
                       64, {word(A), word(B)});
      else
        Product = core(IsUnsigned ? Semantics::MadWideU : Semantics::MadWideS,
                       64, {word(A), word(B), pair(C)});
      if (In.size() > 4)
        Product = withCarry(Product, predicate(In[4]), 64);
      if (has("WIDE"))
        return writePair(In[0], Product);
      return write(In[0], add(Semantics::High, 32, {Product}, 64));
    }
    const Ref Carry = has("X") ? predicateOr(4, false) : Ref::number(0);
    Ref Sum;
    if (ByZero && Carry.IsNumber)
      Sum = core(Semantics::Copy, 32, {word(C)});
    else if (ByZero)
      Sum = word(C);
    else if (B.K == Kind::Immediate && B.Imm == 1)
      Sum = C.isZero() ? core(Semantics::Copy, 32, {word(A)}) : plus(A, C);
    else if (C.isZero())
      Sum = core(Semantics::Mul, 32, {word(A), word(B)});
    else
      Sum = core(Semantics::Mad, 32, {word(A), word(B), word(C)});
    write(In[0], withCarry(Sum, Carry, 32));
  }

  /// A sum of two, or their difference where one is negative.
  Ref plus(const SassOperand &A, const SassOperand &B) {
    if (B.IsNegated && !B.IsInverted && !B.IsAbsolute)
      return core(Semantics::Sub, 32, {word(A), plain(B)});
    if (A.IsNegated && !A.IsInverted && !A.IsAbsolute)
      return core(Semantics::Sub, 32, {word(B), plain(A)});
    return core(Semantics::Add, 32, {word(A), word(B)});
  }

  /// Splits the operands behind the first into predicates that are written,
  /// sources, and predicates that are read. False where there is no first.
  bool splitOperands(SmallVectorImpl<const SassOperand *> &Out,
                     SmallVectorImpl<const SassOperand *> &Sources,
                     SmallVectorImpl<const SassOperand *> &Carries) {
    if (!takes(1))
      return false;
    for (const SassOperand &O : drop_begin(In)) {
      if (O.K != Kind::Predicate)
        Sources.push_back(&O);
      else if (Sources.empty())
        Out.push_back(&O);
      else
        Carries.push_back(&O);
    }
    return true;
  }

  void writeCarries(ArrayRef<const SassOperand *> Out, Ref Sum) {
    if (all_of(Out, [](const SassOperand *O) { return O->IsConstant; }))
      return;
    const Ref Over = add(Semantics::High, 32, {Sum}, 64);
    // The second carry of a sum of three.
    for (auto [Index, O] : enumerate(Out)) {
      Ref Carry =
          add(Semantics::Compare, 32, {Over, Ref::number(int64_t(Index))});
      if (!Ok)
        return;
      Steps.back().Op.Compare =
          Index ? ComparePredicate::GTU : ComparePredicate::NE;
      write(*O, Carry, 1);
    }
  }

  void addUp() {
    SmallVector<const SassOperand *, 4> Out, Sources, Carries;
    if (!splitOperands(Out, Sources, Carries))
      return;
    erase_if(Sources, [](const SassOperand *O) {
      return O->isZero() && !O->IsInverted;
    });
    const bool Carries64 =
        any_of(Out, [](const SassOperand *O) { return !O->IsConstant; });
    if (Carries64)
      return addWide(Out, Sources, Carries);
    Ref Sum = Ref::number(0);
    const bool WithCarry = any_of(Carries, [](const SassOperand *O) {
      return !(O->IsConstant && O->IsInverted);
    });
    if (Sources.empty())
      Sum = WithCarry ? Sum : core(Semantics::Copy, 32, {Sum});
    else if (Sources.size() == 1)
      Sum = WithCarry ? word(*Sources[0])
                      : core(Semantics::Copy, 32, {word(*Sources[0])});
    else if (Sources.size() == 2)
      Sum = WithCarry ? add(Semantics::Add, 32,
                            {word(*Sources[0]), word(*Sources[1])})
                      : plus(*Sources[0], *Sources[1]);
    else
      Sum =
          core(Semantics::Add, 32,
               {add(Semantics::Add, 32, {word(*Sources[0]), word(*Sources[1])}),
                word(*Sources[2])});
    for (const SassOperand *O : Carries)
      Sum = withCarry(Sum, predicate(*O), 32);
    write(In[0], Sum);
  }

  /// A sum whose carry is kept.
  void addWide(ArrayRef<const SassOperand *> Out,
               ArrayRef<const SassOperand *> Sources,
               ArrayRef<const SassOperand *> Carries) {
    Ref Sum = Ref::number(0);
    bool IsFirst = true;
    int64_t Ones = 0;
    for (const SassOperand *O : Sources) {
      Ref W = plain(*O);
      // A difference carries unless it borrows.
      if (O->IsNegated || O->IsInverted)
        W = add(Semantics::Not, 32, {W});
      Ones += O->IsNegated;
      W = add(Semantics::ZExt, 64, {W}, 32);
      Sum = IsFirst ? W : add(Semantics::Add, 64, {Sum, W});
      IsFirst = false;
    }
    for (const SassOperand *O : Carries) {
      const Ref Carry = predicate(*O);
      if (Carry.IsNumber)
        Ones += Carry.Number;
      else
        Sum = add(Semantics::Add, 64,
                  {Sum, add(Semantics::ZExt, 64, {Carry}, 1)});
    }
    if (Ones || Sum.IsNumber)
      Sum = add(Semantics::Add, 64, {Sum, Ref::number(Ones)});
    makeMain();
    const Ref Low = add(Semantics::Trunc, 32, {Sum}, 64);
    write(In[0], Low);
    writeCarries(Out, Sum);
  }

  void shiftAndAdd() {
    SmallVector<const SassOperand *, 4> Out, Sources, Carries;
    if (!splitOperands(Out, Sources, Carries))
      return;
    const bool IsHigh = has("HI"), Extends = has("SX32");
    if (Sources.size() != (IsHigh && !Extends ? 4u : 3u)) {
      fail();
      return;
    }
    const SassOperand &Shift = *Sources.back();
    if (Shift.K != Kind::Immediate) {
      fail();
      return;
    }
    const Ref By = Ref::number(Shift.Imm);
    const Ref A = word(*Sources[0]);
    Ref Shifted;
    if (!IsHigh)
      Shifted = add(Semantics::Shl, 32, {A, By});
    else
      Shifted = add(Semantics::FunnelL, 32,
                    {A,
                     Extends ? add(Semantics::ShrS, 32, {A, Ref::number(31)})
                             : word(*Sources[2]),
                     By});
    if (any_of(Out, [](const SassOperand *O) { return !O->IsConstant; })) {
      if (!Carries.empty() || Sources[1]->IsNegated) {
        fail();
        return;
      }
      const Ref Sum = core(Semantics::Add, 64,
                           {add(Semantics::ZExt, 64, {Shifted}, 32),
                            add(Semantics::ZExt, 64, {word(*Sources[1])}, 32)});
      const Ref Low = add(Semantics::Trunc, 32, {Sum}, 64);
      write(In[0], Low);
      return writeCarries(Out, Sum);
    }
    const Ref Carry = Carries.empty() ? Ref::number(0) : predicate(*Carries[0]);
    const Ref Sum = Carry.IsNumber
                        ? core(Semantics::Add, 32, {Shifted, word(*Sources[1])})
                        : add(Semantics::Add, 32, {Shifted, word(*Sources[1])});
    write(In[0], withCarry(Sum, Carry, 32));
  }

  /// \p Table of \p A, \p B and \p C as And, Or, Xor and Not.
  Ref tableOf(unsigned Bits, uint8_t Table, Ref A, Ref B, Ref C) {
    return logicOf(Table, A, B, C, [&](Semantics What, ArrayRef<Ref> Inputs) {
      return add(What, Bits, Inputs);
    });
  }

  void logic() {
    size_t First = 0;
    const SassOperand *Predicate = nullptr;
    if (takes(6) && In[0].K == Kind::Predicate)
      Predicate = &In[First++];
    if (!takes(First + 5) || In[First + 4].K != Kind::Immediate) {
      fail();
      return;
    }
    const SassOperand &To = In[First++];
    Ref Value = tableOf(32, uint8_t(In[First + 3].Imm), word(In[First]),
                        word(In[First + 1]), word(In[First + 2]));
    // A step of its own, which the instruction is.
    if (Steps.empty() || Value.IsNumber || Value.Register < FirstTemporary)
      Value = add(Semantics::Copy, 32, {Value});
    makeMain();
    if (Predicate) {
      const Ref Holds = add(Semantics::Compare, 32, {Value, Ref::number(0)});
      if (Ok)
        Steps.back().Op.Compare = ComparePredicate::NE;
      write(*Predicate, Holds, 1);
    }
    write(To, Value);
  }

  void predicateLogic() {
    if (!takes(7) || In[5].K != Kind::Immediate) {
      fail();
      return;
    }
    const Ref A = predicate(In[2]), B = predicate(In[3]), C = predicate(In[4]);
    const Ref First = tableOf(1, uint8_t(In[5].Imm), A, B, C);
    Ref Second = Ref::number(0);
    if (!In[1].IsConstant)
      Second = tableOf(1, uint8_t(In[6].Imm), A, B, C);
    const Ref Result = core(Semantics::Copy, 1, {First});
    if (!In[1].IsConstant)
      write(In[1], Second, 1);
    write(In[0], Result, 1);
  }

  void funnel() {
    if (!takes(4))
      return;
    const Ref Low = word(1), By = word(2), High = word(3);
    const bool IsSigned = has("S32") || has("S64");
    Semantics What;
    SmallVector<Ref, 3> Inputs;
    if (has("L")) {
      if (!has("HI")) {
        What = Semantics::Shl;
        Inputs = {Low, By};
      } else if (In[1].isZero()) {
        What = Semantics::Shl;
        Inputs = {High, By};
      } else {
        What = Semantics::FunnelL;
        Inputs = {Low, High, By};
      }
    } else if (has("HI")) {
      What = IsSigned ? Semantics::ShrS : Semantics::ShrU;
      Inputs = {High, By};
    } else if (In[3].isZero()) {
      What = Semantics::ShrU;
      Inputs = {Low, By};
    } else {
      What = Semantics::FunnelR;
      Inputs = {Low, High, By};
    }
    write(In[0], core(What, 32, Inputs));
  }

  static std::optional<ComparePredicate> comparison(StringRef Text,
                                                    bool IsUnsigned) {
    using P = ComparePredicate;
    return StringSwitch<std::optional<P>>(Text)
        .Case("EQ", P::EQ)
        .Case("NE", P::NE)
        .Case("LT", IsUnsigned ? P::LTU : P::LTS)
        .Case("LE", IsUnsigned ? P::LEU : P::LES)
        .Case("GT", IsUnsigned ? P::GTU : P::GTS)
        .Case("GE", IsUnsigned ? P::GEU : P::GES)
        .Default(std::nullopt);
  }

  /// Combines \p Holds with \p With as a modifier says, and writes it and its
  /// opposite.
  void writeCondition(Ref Holds, Ref With) {
    const bool IsOr = has("OR"), IsXor = has("XOR");
    auto Combine = [&](Ref Value) {
      if (IsXor)
        return add(Semantics::Xor, 1, {Value, With});
      if (With.IsNumber && (With.Number != 0) == !IsOr)
        return Value;
      return add(IsOr ? Semantics::Or : Semantics::And, 1, {Value, With});
    };
    Ref Opposite = Ref::number(0);
    if (!In[1].IsConstant)
      Opposite =
          add(Semantics::Copy, 1, {Combine(add(Semantics::Not, 1, {Holds}))});
    const Ref Result = Combine(Holds);
    if (!In[1].IsConstant && !In[0].IsConstant) {
      const Ref Kept = add(Semantics::Copy, 1, {Result});
      write(In[1], Opposite, 1);
      return write(In[0], Kept, 1);
    }
    if (!In[1].IsConstant)
      return write(In[1], Opposite, 1);
    write(In[0], Result, 1);
  }

  void compare() {
    if (!takes(5) || Parts.size() < 2)
      return;
    const std::optional<ComparePredicate> How =
        comparison(Parts[1], has("U32"));
    if (!How) {
      fail();
      return;
    }
    const Ref A = word(2), B = word(3);
    Ref Holds = core(Semantics::Compare, 32, {A, B});
    if (!Ok)
      return;
    Steps.back().Op.Compare = *How;
    // The upper halves of numbers of 64 bits, whose lower ones were compared.
    if (has("EX")) {
      if (!takes(6))
        return;
      const Ref Below = predicate(In[5]);
      if (*How == ComparePredicate::EQ) {
        Holds = add(Semantics::And, 1, {Holds, Below});
      } else if (*How == ComparePredicate::NE) {
        Holds = add(Semantics::Or, 1, {Holds, Below});
      } else {
        Steps[Main].Op.Compare = strict(*How);
        const Ref Same = add(Semantics::Compare, 32, {A, B});
        if (!Ok)
          return;
        Steps.back().Op.Compare = ComparePredicate::EQ;
        Holds = add(Semantics::Or, 1,
                    {Holds, add(Semantics::And, 1, {Same, Below})});
      }
    }
    writeCondition(Holds, predicate(In[4]));
  }

  static ComparePredicate strict(ComparePredicate P) {
    switch (P) {
    case ComparePredicate::LES:
      return ComparePredicate::LTS;
    case ComparePredicate::GES:
      return ComparePredicate::GTS;
    case ComparePredicate::LEU:
      return ComparePredicate::LTU;
    case ComparePredicate::GEU:
      return ComparePredicate::GTU;
    default:
      return P;
    }
  }

  void select() {
    if (!takes(4))
      return;
    const bool IsFloat = Name == "FSEL";
    const Ref A = IsFloat ? real(In[1], 32) : word(1),
              B = IsFloat ? real(In[2], 32) : word(2);
    write(In[0], core(Semantics::Select, 32, {A, B, predicate(In[3])}));
  }

  void extreme() {
    if (!takes(4)) {
      return;
    }
    const bool IsUnsigned = has("U32");
    const Semantics Min = IsUnsigned ? Semantics::MinU : Semantics::MinS,
                    Max = IsUnsigned ? Semantics::MaxU : Semantics::MaxS;
    const Ref A = word(1), B = word(2), IsMin = predicate(In[3]);
    if (IsMin.IsNumber)
      return write(In[0], core(IsMin.Number ? Min : Max, 32, {A, B}));
    const Ref Least = add(Min, 32, {A, B}), Most = add(Max, 32, {A, B});
    write(In[0], core(Semantics::Select, 32, {Least, Most, IsMin}));
  }

  /// What the PTX instruction \p Mnemonic computes of \p Arguments.
  void byPtx(const Twine &Mnemonic, ArrayRef<Ref> Arguments) {
    const std::string Text = Mnemonic.str();
    const std::optional<PtxBlock> Block =
        liftPtxText(Text, /*NumResults=*/1, unsigned(Arguments.size()));
    if (!Block) {
      fail();
      return;
    }
    std::vector<Ref> Values;
    auto ValueOf = [&](const PtxRef &R) {
      return R.isNumber() ? Ref::number(R.Number)
             : R.isStep() ? Values[R.Index]
                          : Arguments[R.Index - 1];
    };
    const uint32_t Last = Block->Results.front().second.Index;
    for (auto [Index, S] : enumerate(Block->Steps)) {
      SmallVector<Ref, 4> Operands;
      for (const PtxRef &R : S.Operands)
        Operands.push_back(ValueOf(R));
      Values.push_back(Index == Last
                           ? core(S.What, S.Bits, Operands, S.FromBits, S.Imm)
                           : add(S.What, S.Bits, Operands, S.FromBits, S.Imm));
      if (Ok)
        Steps.back().Op.Compare = S.Compare;
    }
    write(In[0], Values[Last]);
  }

  void absoluteDifference() {
    if (takes(4))
      byPtx(has("U32") ? "sad.u32" : "sad.s32", {word(1), word(2), word(3)});
  }

  /// "IDP.4A.U8.S8", "IDP.2A.LO.S16.U8".
  void dotProduct() {
    if (!takes(4) || Parts.size() < 4)
      return (void)fail();
    const bool OfBytes = has("4A");
    byPtx(StringRef(OfBytes     ? "dp4a."
                    : has("HI") ? "dp2a.hi."
                                : "dp2a.lo.") +
              (Parts[Parts.size() - 2].starts_with("S") ? "s32." : "u32.") +
              (Parts.back().starts_with("S") ? "s32" : "u32"),
          {word(1), word(2), word(3)});
  }

  void match() {
    if (takes(2) && has("ANY") && !has("U64"))
      byPtx("match.any.sync.b32", {word(1)});
    else
      fail();
  }

  void unary() {
    if (!takes(2))
      return;
    if (Name == "FLO") {
      if (!has("U32"))
        return byPtx(has("SH") ? "bfind.shiftamt.s32" : "bfind.s32", {word(1)});
      const Ref Zeros = core(Semantics::Clz, 32, {word(1)});
      return write(
          In[0], has("SH") ? Zeros
                           : add(Semantics::Sub, 32, {Ref::number(31), Zeros}));
    }
    const Semantics What = Name == "IABS"   ? Semantics::Abs
                           : Name == "POPC" ? Semantics::Popc
                                            : Semantics::Brev;
    write(In[0], core(What, 32, {word(1)}));
  }

  void permute() {
    if (takes(4) && Parts.size() == 1)
      write(In[0], core(Semantics::Prmt, 32, {word(1), word(3), word(2)}));
    else if (takes(4) && Parts.size() == 2)
      byPtx("prmt.b32." + Parts[1].lower(), {word(1), word(3), word(2)});
    else
      fail();
  }

  void field() {
    if (!takes(3))
      return;
    const Ref A = word(1), B = word(2);
    if (Name == "SGXT")
      return write(In[0], core(has("U32") ? Semantics::BfeU : Semantics::BfeS,
                               32, {A, Ref::number(0), B}));
    const Ref Ones =
        add(Semantics::Sub, 32,
            {add(Semantics::Shl, 32, {Ref::number(1), B}), Ref::number(1)});
    write(In[0], core(Semantics::Shl, 32, {Ones, A}));
  }

  void readSpecial() {
    if (!takes(2) || In[1].K != Kind::Special) {
      fail();
      return;
    }
    const StringRef Text = In[1].Text;
    const bool IsWide = Name == "CS2R" && !has("32");
    // Blocks of a cluster are taken for the first of it.
    if (Text == "SRZ" || Text == "SR_CgaCtaId") {
      const Ref Zero =
          core(Semantics::Copy, IsWide ? 64 : 32, {Ref::number(0)});
      return IsWide ? writePair(In[0], Zero) : write(In[0], Zero);
    }
    const SpecialReg R = StringSwitch<SpecialReg>(Text)
                             .Case("SR_TID.X", SpecialReg::TidX)
                             .Case("SR_TID.Y", SpecialReg::TidY)
                             .Case("SR_TID.Z", SpecialReg::TidZ)
                             .Case("SR_CTAID.X", SpecialReg::CtaIdX)
                             .Case("SR_CTAID.Y", SpecialReg::CtaIdY)
                             .Case("SR_CTAID.Z", SpecialReg::CtaIdZ)
                             .Case("SR_LANEID", SpecialReg::LaneId)
                             .Case("SR_EQMASK", SpecialReg::LaneMaskEq)
                             .Case("SR_LTMASK", SpecialReg::LaneMaskLt)
                             .Case("SR_LEMASK", SpecialReg::LaneMaskLe)
                             .Case("SR_GTMASK", SpecialReg::LaneMaskGt)
                             .Case("SR_GEMASK", SpecialReg::LaneMaskGe)
                             .Default(SpecialReg::Other);
    if (R == SpecialReg::Other || IsWide) {
      fail();
      return;
    }
    const Ref Value = special(R);
    makeMain();
    write(In[0], Value);
  }

  void loadConstant() {
    if (!takes(2) || In[1].K != Kind::Constant || !In[1].Terms.empty()) {
      fail();
      return;
    }
    if (has("U8") || has("S8") || has("U16") || has("S16") || has("128")) {
      fail();
      return;
    }
    const unsigned Bits = has("64") ? 64 : 32;
    const Ref Value = core(Semantics::Copy, Bits, {constant(In[1], Bits)});
    Bits == 64 ? writePair(In[0], Value) : write(In[0], Value);
  }

  void vote() {
    const SassOperand *Mask = nullptr, *Holds = nullptr;
    for (const SassOperand &O : drop_end(In))
      (O.K == Kind::Register ? Mask : Holds) = &O;
    if (!takes(2) || has("EQ")) {
      fail();
      return;
    }
    const Ref Value = predicate(In.back());
    const Semantics What = has("ALL") ? Semantics::VoteAll : Semantics::VoteAny;
    Ref Lanes = Ref::number(0), Any = Ref::number(0);
    const bool WantsHolds = Holds && !Holds->IsConstant;
    if (Mask && !Mask->IsConstant)
      Lanes = core(Semantics::Ballot, 32, {Value});
    if (WantsHolds)
      Any = core(What, 1, {Value});
    if (WantsHolds)
      write(*Holds, Any, 1);
    if (Mask && !Mask->IsConstant)
      write(*Mask, Lanes);
  }

  void shuffle() {
    if (!takes(5) || In[0].K != Kind::Predicate) {
      fail();
      return;
    }
    const ShuffleKind How =
        StringSwitch<ShuffleKind>(Parts.size() > 1 ? Parts[1] : StringRef())
            .Case("IDX", ShuffleKind::Idx)
            .Case("UP", ShuffleKind::Up)
            .Case("DOWN", ShuffleKind::Down)
            .Case("BFLY", ShuffleKind::Bfly)
            .Default(ShuffleKind::None);
    const Ref A = word(2), B = word(3), C = word(4);
    const Ref Value = core(Semantics::Shuffle, 32, {A, B, C});
    if (!Ok || How == ShuffleKind::None || NextTemporary == NumRegisterIds) {
      fail();
      return;
    }
    Steps.back().Op.Shuffle = How;
    if (In[0].IsConstant)
      return write(In[1], Value);
    const Ref Inside = Ref::of(NextTemporary++);
    Steps.back().Op.NumResults = 2;
    Steps.back().Use.Writes.push_back(Inside.Register);
    write(In[1], Value);
    write(In[0], Inside, 1);
  }

  // Floating point.

  Ref real(const SassOperand &O, unsigned Bits) {
    Ref R;
    if (O.K == Kind::Real || O.K == Kind::Immediate)
      // Bit patterns are written in hexadecimal.
      R = O.K == Kind::Immediate && O.Text.contains("0x")
              ? Ref::number(O.Imm)
              : Ref::number(Bits == 64
                                ? std::bit_cast<int64_t>(O.Real)
                                : std::bit_cast<uint32_t>(float(O.Real)));
    else
      R = Bits == 64 ? pairAsItIs(O) : plain(O);
    if (O.IsAbsolute)
      R = add(Semantics::FAbs, Bits, {R});
    return O.IsNegated ? add(Semantics::FNeg, Bits, {R}) : R;
  }

  Ref pairAsItIs(SassOperand O) {
    O.IsNegated = O.IsAbsolute = false;
    return pair(O);
  }

  void arithmetic(unsigned Bits) {
    const StringRef Which = Name.drop_front();
    const bool IsFma = Which == "FMA";
    if (has("SAT") || !takes(IsFma ? 4 : 3)) {
      fail();
      return;
    }
    const Ref A = real(In[1], Bits), B = real(In[2], Bits);
    const Semantics What = IsFma            ? Semantics::FFma
                           : Which == "ADD" ? Semantics::FAdd
                                            : Semantics::FMul;
    const Ref Value = IsFma ? core(What, Bits, {A, B, real(In[3], Bits)})
                            : core(What, Bits, {A, B});
    Bits == 64 ? writePair(In[0], Value) : write(In[0], Value);
  }

  void floats() { arithmetic(32); }
  void doubles() { arithmetic(64); }

  void compareFloats() {
    if (!takes(5) || Parts.size() < 2)
      return;
    StringRef Text = Parts[1];
    const bool OrNaN = Text.size() == 3 && Text.consume_back("U");
    const std::optional<ComparePredicate> How = comparison(Text, false);
    if (!How) {
      fail();
      return;
    }
    const unsigned Bits = Name == "DSETP" ? 64 : 32;
    const Ref Holds =
        core(Semantics::FCompare, Bits, {real(In[2], Bits), real(In[3], Bits)},
             0, OrNaN ? 1 : 0);
    if (!Ok)
      return;
    Steps.back().Op.Compare = *How;
    writeCondition(Holds, predicate(In[4]));
  }

  void floatExtreme() {
    if (!takes(4))
      return;
    const Ref A = real(In[1], 32), B = real(In[2], 32),
              IsMin = predicate(In[3]);
    if (IsMin.IsNumber)
      return write(In[0], core(IsMin.Number ? Semantics::FMin : Semantics::FMax,
                               32, {A, B}));
    fail();
  }

  void function() {
    if (!takes(2) || Parts.size() < 2)
      return;
    const Semantics What = StringSwitch<Semantics>(Parts[1])
                               .Case("RCP", Semantics::FRcp)
                               .Case("RSQ", Semantics::FRsqrt)
                               .Case("SQRT", Semantics::FSqrt)
                               .Case("EX2", Semantics::FEx2)
                               .Case("LG2", Semantics::FLg2)
                               .Default(Semantics::Opaque);
    if (What == Semantics::Opaque) {
      fail();
      return;
    }
    write(In[0], core(What, 32, {real(In[1], 32)}, 0, /*Approximate=*/1));
  }

  void convert() {
    for (StringRef Other : {"F64", "F16", "U64", "S64", "U8", "S8", "U16",
                            "S16", "BF16", "BF16_V2"})
      if (has(Other))
        Ok = false;
    if (!takes(2))
      return;
    const bool IsUnsigned = has("U32");
    if (Name != "F2I")
      return write(In[0],
                   core(IsUnsigned ? Semantics::FFromU : Semantics::FFromS, 32,
                        {word(1)}, 32));
    const IntegerRounding How = has("TRUNC")   ? IntegerRounding::TowardZero
                                : has("FLOOR") ? IntegerRounding::Down
                                : has("CEIL")  ? IntegerRounding::Up
                                               : IntegerRounding::Nearest;
    write(In[0], core(IsUnsigned ? Semantics::FToU : Semantics::FToS, 32,
                      {real(In[1], 32)}, 32, int64_t(How)));
  }

  static std::optional<uint16_t> half(const SassOperand &O) {
    if (O.K != Kind::Real && O.K != Kind::Immediate)
      return std::nullopt;
    APFloat Value(O.Real);
    bool Lost = false;
    Value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Lost);
    return uint16_t(Value.bitcastToAPInt().getZExtValue());
  }

  /// Constants that are made by a product with zero; and the check of a
  /// division, which asks for the way that kernels avoid.
  void fixedValue() {
    if (Name == "FCHK") {
      if (takes(1))
        write(In[0], core(Semantics::Copy, 1, {Ref::number(0)}), 1);
      return;
    }
    if (!takes(5) || !In[1].isZero() || !In[2].isZero()) {
      fail();
      return;
    }
    const std::optional<uint16_t> High = half(In[3]), Low = half(In[4]);
    if (!High || !Low) {
      fail();
      return;
    }
    write(In[0], core(Semantics::Copy, 32,
                      {Ref::number(int64_t(*High) << 16 | *Low)}));
  }
};

} // namespace

std::set<int64_t> gpuocc::findWideOffsets(const SassFunction &F) {
  std::set<int64_t> Offsets;
  for (const SassInstruction &I : F.Instructions) {
    const StringRef Opcode = I.Opcode;
    const bool IsUpper = Opcode.contains(".X");
    const bool IsPair = Opcode.contains(".64") || Opcode.contains(".WIDE");
    if (!IsUpper && !IsPair)
      continue;
    for (StringRef Text : I.Operands) {
      const SassOperand O = parseSassOperand(Text);
      if (O.K != SassOperand::Kind::Constant || O.Bank != 0 || !O.Terms.empty())
        continue;
      // Of a product only the addend is wide.
      if (IsPair && Opcode.contains(".WIDE") && Text != I.Operands.back())
        continue;
      Offsets.insert(IsUpper ? O.Offset - 4 : O.Offset);
    }
  }
  return Offsets;
}

LiftedInstruction gpuocc::liftInstruction(const SassInstruction &I,
                                          const SassOpcode &Row,
                                          Operation Itself,
                                          const LiftContext &Context,
                                          std::optional<bool> Condition) {
  return Lifter(I, Row, Itself, Context, Condition).run();
}
