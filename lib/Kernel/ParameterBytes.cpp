//===- ParameterBytes.cpp - Places in parameter memory ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParameterBytes.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace gpuocc;
using namespace llvm;

std::optional<uint64_t> gpuocc::parameterByte(const KernelFacts &Facts,
                                              Operand O) {
  constexpr unsigned MaxSteps = 8;
  int64_t Offset = 0;
  for (unsigned Step = 0; Step != MaxSteps; ++Step) {
    const Operation *Op = Facts.operationOf(O);
    if (!Op || Op->Operands.empty())
      return std::nullopt;
    if (Op->What == Semantics::SymbolAddress) {
      const uint32_t Symbol = Op->Operands[0].Index;
      if (Symbol >= Facts.Symbols.size() ||
          Facts.Symbols[Symbol].Space != MemorySpace::Param)
        return std::nullopt;
      Offset += Op->Imm;
      return Offset < 0 ? std::nullopt
                        : std::optional<uint64_t>(uint64_t(Offset));
    }
    if (Op->What == Semantics::Add && Op->Operands.size() == 2 &&
        Op->Operands[1].isImmediate())
      Offset += Op->Operands[1].Imm;
    else if (Op->What != Semantics::Copy)
      return std::nullopt;
    O = Op->Operands[0];
  }
  return std::nullopt;
}

std::optional<RecordedTensorMap>
gpuocc::recordedMapAt(const KernelFacts &Facts, const Launch &L, uint64_t At) {
  for (const auto &[Index, Bytes] : L.StructBytes) {
    if (Index >= Facts.Parameters.size())
      continue;
    const Parameter &P = Facts.Parameters[Index];
    if (At < P.OffsetBytes || At - P.OffsetBytes >= P.SizeBytes)
      continue;
    const StringRef Digits =
        StringRef(Bytes.Value).substr(2 * (At - P.OffsetBytes));
    std::string Raw;
    RecordedTensorMap Map;
    if (Digits.size() < 2 * sizeof(Map) ||
        !tryGetFromHex(Digits.take_front(2 * sizeof(Map)), Raw))
      return std::nullopt;
    std::memcpy(&Map, Raw.data(), sizeof(Map));
    if (Map.Mark != RecordedTensorMap::Sign)
      return std::nullopt;
    return Map;
  }
  return std::nullopt;
}
