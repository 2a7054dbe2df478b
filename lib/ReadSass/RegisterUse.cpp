//===- RegisterUse.cpp - Registers that an instruction reads and writes ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterUse.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

// Numbering of the files.
static constexpr RegisterId FirstUniform = 256;
static constexpr RegisterId FirstPredicate = 256 + 64;
static constexpr RegisterId FirstUniformPredicate = FirstPredicate + 8;

bool gpuocc::isPredicateRegister(RegisterId R) {
  return R >= FirstPredicate && R < FirstTemporary;
}

std::optional<NamedRegister> gpuocc::takeRegister(StringRef &Text) {
  NamedRegister Result;
  StringRef Rest = Text;
  bool Uniform = Rest.consume_front("U");
  Result.IsUniform = Uniform;
  RegisterId Base = 0;
  if (Rest.consume_front("R")) {
    Base = Uniform ? FirstUniform : 0;
  } else if (Rest.consume_front("P")) {
    Base = Uniform ? FirstUniformPredicate : FirstPredicate;
    Result.IsPredicate = true;
  } else {
    return std::nullopt;
  }
  unsigned Number = 0;
  if (Rest.consume_front(Result.IsPredicate ? "T" : "Z"))
    Result.IsConstant = true;
  else if (Rest.consumeInteger(10, Number) || Number > 255)
    return std::nullopt;
  // "Pxx" inside of a word is no register.
  if (!Rest.empty() && (isAlnum(Rest.front()) || Rest.front() == '_'))
    return std::nullopt;
  Result.First = RegisterId(Base + Number);
  Result.IsPair = Rest.consume_front(".64");
  Text = Rest;
  return Result;
}

/// Each register named in \p Operand.
static SmallVector<NamedRegister, 3> registersIn(StringRef Operand) {
  SmallVector<NamedRegister, 3> Found;
  char Before = ' ';
  while (!Operand.empty()) {
    // SR_TID.X and the names of functions are no registers.
    bool AtWord = !isAlnum(Before) && Before != '_' && Before != '.';
    Before = Operand.front();
    if (AtWord)
      if (std::optional<NamedRegister> R = takeRegister(Operand)) {
        Found.push_back(*R);
        Before = '0';
        continue;
      }
    Operand = Operand.drop_front();
  }
  return Found;
}

static bool hasModifier(StringRef Opcode, StringRef Modifier) {
  SmallVector<StringRef, 8> Parts;
  Opcode.split(Parts, '.');
  return is_contained(drop_begin(Parts), Modifier);
}

/// 32-bit registers that the result of \p I takes.
static unsigned resultRegisters(const SassInstruction &I,
                                const SassOpcode &Row) {
  switch (Row.Form) {
  case SassForm::Load:
  case SassForm::Atomic:
    return std::max(1u, bytesPerLane(I.Opcode) / 4);
  case SassForm::Compute:
    return (Row.Class == InstClass::Ldc || Row.Class == InstClass::Uldc) &&
                   hasModifier(I.Opcode, "64")
               ? 2
               : Row.ResultRegisters;
  default:
    return 0;
  }
}

/// 32-bit registers of input \p Index (without results) of \p I.
static unsigned inputRegisters(const SassInstruction &I, const SassOpcode &Row,
                               unsigned Index) {
  switch (Row.Class) {
  case InstClass::DAdd:
  case InstClass::DMul:
  case InstClass::DFma:
  case InstClass::DSetp:
    return 2;
  case InstClass::IMadWide:
    return Index == 2 ? 2 : 1;
  case InstClass::MmaF16K8:
  case InstClass::MmaF16K16:
  case InstClass::MmaF16AccF16K16:
  case InstClass::MmaBf16K16:
  case InstClass::MmaTf32K4:
  case InstClass::MmaTf32K8:
  case InstClass::MmaS8K16:
  case InstClass::MmaS8K32:
    return Index == 1 ? 2 : Row.ResultRegisters;
  default:
    break;
  }
  if (Row.Form == SassForm::Store || Row.Form == SassForm::Atomic ||
      Row.Form == SassForm::Reduction)
    return std::max(1u, bytesPerLane(I.Opcode) / 4);
  return 1;
}

static void addRange(SmallVectorImpl<RegisterId> &To, const NamedRegister &R,
                     unsigned Count) {
  if (R.IsConstant)
    return;
  for (unsigned K = 0; K != (R.IsPredicate ? 1 : Count); ++K)
    To.push_back(RegisterId(R.First + K));
}

/// The address of an access: the part in brackets.
static void readAddress(StringRef Operand, RegisterUse &Use) {
  StringRef Inside = Operand.rsplit('[').second.split(']').first;
  // The first address of an instruction is the global one of LDGSTS.
  for (const NamedRegister &R : registersIn(Inside))
    if (Use.AddressRegister < 0 && !R.IsConstant)
      Use.AddressRegister = R.First;
  if (size_t At = Inside.find("0x"); At != StringRef::npos) {
    StringRef Digits = Inside.drop_front(At);
    int64_t Offset = 0;
    if (!Digits.consumeInteger(0, Offset))
      Use.OffsetBytes = At && Inside[At - 1] == '-' ? -Offset : Offset;
  }
}

RegisterUse gpuocc::registerUse(const SassInstruction &I,
                                const SassOpcode &Row) {
  RegisterUse Use;
  StringRef Guard = I.Predicate;
  Guard.consume_front("!");
  if (std::optional<NamedRegister> R = takeRegister(Guard); R && !R->IsConstant)
    Use.Guard = R->First;

  unsigned Results = resultRegisters(I, Row);
  bool HasResult = Row.Form == SassForm::Compute ||
                   Row.Form == SassForm::Load || Row.Form == SassForm::Atomic;
  // Results stand first: at most one register and two predicates; a vote has
  // one predicate of each kind.
  unsigned PredicatesLeft = Row.Class == InstClass::Vote ? 1 : 2;
  bool TookRegister = Results == 0;
  bool InResults = HasResult;
  unsigned Input = 0;
  for (StringRef Operand : I.Operands) {
    SmallVector<NamedRegister, 3> Registers = registersIn(Operand);
    bool Plain = Registers.size() == 1 && !Operand.contains('[') &&
                 !Operand.starts_with("!") && !Operand.starts_with("-") &&
                 !Operand.starts_with("|") && !Operand.starts_with("~");
    if (InResults && Plain) {
      const NamedRegister &R = Registers.front();
      if (R.IsPredicate && PredicatesLeft) {
        --PredicatesLeft;
        addRange(Use.Writes, R, 1);
        continue;
      }
      if (!R.IsPredicate && !TookRegister) {
        TookRegister = true;
        addRange(Use.Writes, R, Results);
        continue;
      }
    }
    InResults = false;
    bool IsAddress = Operand.contains('[');
    if (IsAddress)
      readAddress(Operand, Use);
    unsigned Width = IsAddress ? 1 : inputRegisters(I, Row, Input);
    for (const NamedRegister &R : Registers)
      addRange(Use.Reads, R, R.IsPair ? 2 : Width);
    ++Input;
  }
  if (Use.Guard >= 0)
    Use.Reads.push_back(RegisterId(Use.Guard));
  return Use;
}
