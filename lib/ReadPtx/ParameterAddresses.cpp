//===- ParameterAddresses.cpp - Registers that point into parameters ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParameterAddresses.h"

using namespace gpuocc;
using namespace llvm;

/// How often each register is the first operand, which is at least as often as
/// it is written.
static StringMap<unsigned> countWrites(const PtxFunction &F) {
  StringMap<unsigned> Writes;
  for (const PtxStatement &S : F.Body) {
    if (S.K != PtxStatement::Kind::Instruction || S.Operands.empty())
      continue;
    const PtxOperand &To = S.Operands.front();
    for (const PtxOperand &Element : To.Elements)
      ++Writes[Element.Name];
    ++Writes[To.Name];
    ++Writes[To.Second];
  }
  return Writes;
}

ParameterAddresses::ParameterAddresses(const PtxFunction &F) {
  for (const PtxVariable &V : F.Parameters)
    if (V.NumElements)
      Known[V.Name] = {V.Name, 0};
  if (Known.empty())
    return;
  const StringMap<unsigned> Writes = countWrites(F);
  for (const PtxStatement &S : F.Body) {
    if (S.K != PtxStatement::Kind::Instruction || S.Operands.size() < 2 ||
        !S.Guard.empty() || Writes.lookup(S.Operands[0].Name) != 1)
      continue;
    const bool IsMove = S.Text.starts_with("mov.") && S.Operands.size() == 2;
    const bool IsSum = S.Text.starts_with("add.") && S.Operands.size() == 3 &&
                       S.Operands[2].K == PtxOperand::Kind::Integer;
    if (!IsMove && !IsSum)
      continue;
    std::optional<Byte> At = byteOf(S.Operands[1]);
    if (!At)
      continue;
    if (IsSum)
      At->Offset += S.Operands[2].Number;
    Known[S.Operands[0].Name] = *At;
  }
}

std::optional<ParameterAddresses::Byte>
ParameterAddresses::byteOf(const PtxOperand &O) const {
  if (O.K != PtxOperand::Kind::Name && O.K != PtxOperand::Kind::Address)
    return std::nullopt;
  const auto It = Known.find(O.Name);
  if (It == Known.end())
    return std::nullopt;
  return Byte{It->second.Parameter, It->second.Offset + O.Number};
}

PtxOperand ParameterAddresses::inParameter(const PtxOperand &Address) const {
  PtxOperand O = Address;
  if (const std::optional<Byte> At = byteOf(Address)) {
    O.Name = At->Parameter;
    O.Number = At->Offset;
  }
  return O;
}
