//===- SassText.cpp - Operands of machine instructions --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassText.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

static std::optional<int64_t> integer(StringRef Text) {
  const bool Negative = Text.consume_front("-");
  uint64_t Value = 0;
  if (Text.empty() || Text.getAsInteger(0, Value))
    return std::nullopt;
  return Negative ? -int64_t(Value) : int64_t(Value);
}

/// The parts of \p Inside, what stands between brackets: "R2.64+UR4+-0x10".
static void readTerms(StringRef Inside, SassOperand &Out) {
  SmallVector<StringRef, 4> Parts;
  Inside.split(Parts, '+');
  for (StringRef Part : Parts) {
    Part = Part.trim();
    if (std::optional<int64_t> Number = integer(Part)) {
      Out.Offset += *Number;
      continue;
    }
    std::optional<NamedRegister> R = takeRegister(Part);
    if (!R || R->IsConstant)
      continue;
    SassOperand::Term T;
    T.First = R->First;
    T.IsUniform = R->IsUniform;
    T.IsPair = R->IsPair;
    T.IsUnsigned32 = Part.contains(".U32");
    if (size_t At = Part.find(".X"); At != StringRef::npos)
      Part.drop_front(At + 2).take_while(isDigit).getAsInteger(10, T.Scale);
    Out.Terms.push_back(T);
  }
}

static void readConstant(StringRef Text, SassOperand &Out) {
  auto [Bank, Inside] = Text.split("][");
  Out.K = SassOperand::Kind::Constant;
  if (Bank.getAsInteger(0, Out.Bank))
    Out.K = SassOperand::Kind::Other;
  readTerms(Inside.split(']').first, Out);
}

SassOperand gpuocc::parseSassOperand(StringRef Text) {
  SassOperand Out;
  Text = Text.trim();
  Out.Text = Text;
  // A number keeps its sign.
  StringRef Rest = Text;
  if (std::optional<int64_t> Number = integer(Rest)) {
    Out.K = SassOperand::Kind::Immediate;
    Out.Imm = *Number;
    // "1" without a prefix is an operand of floating point as well.
    Out.Real = double(*Number);
    return Out;
  }
  if (double Number = 0; !Rest.getAsDouble(Number)) {
    Out.K = SassOperand::Kind::Real;
    Out.Real = Number;
    return Out;
  }
  while (!Rest.empty()) {
    if (Rest.consume_front("-"))
      Out.IsNegated = true;
    else if (Rest.consume_front("~") || Rest.consume_front("!"))
      Out.IsInverted = true;
    else if (Rest.consume_front("|"))
      Out.IsAbsolute = true;
    else
      break;
  }
  if (Rest.consume_front("c[")) {
    readConstant(Rest, Out);
    return Out;
  }
  if (Rest.contains('[')) {
    Out.K = SassOperand::Kind::Address;
    readTerms(Rest.rsplit('[').second.split(']').first, Out);
    return Out;
  }
  if (Rest.starts_with("SR_") || Rest.starts_with("SRZ")) {
    Out.K = SassOperand::Kind::Special;
    Out.Text = Rest;
    return Out;
  }
  if (std::optional<NamedRegister> R = takeRegister(Rest)) {
    Rest.consume_front(".reuse");
    Rest.consume_front("|");
    // Halves of a register are values of their own.
    if (!Rest.empty())
      return Out;
    Out.K = R->IsPredicate ? SassOperand::Kind::Predicate
                           : SassOperand::Kind::Register;
    Out.First = R->First;
    Out.IsConstant = R->IsConstant;
    Out.IsPair = R->IsPair;
  }
  return Out;
}
