//===- InitialBytes.cpp - What PTX variables begin with -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InitialBytes.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// "12", "-1", "0x1F", "0f3F800000" and "0d3FF0000000000000", as bits.
static std::optional<uint64_t> numberOf(StringRef Text) {
  const bool IsNegative = Text.consume_front("-");
  uint64_t Bits = 0;
  const bool IsReal =
      Text.starts_with_insensitive("0f") || Text.starts_with_insensitive("0d");
  Text.consume_back("U");
  if (IsReal ? Text.drop_front(2).getAsInteger(16, Bits)
             : Text.getAsInteger(0, Bits))
    return std::nullopt;
  return IsNegative ? 0 - Bits : Bits;
}

std::optional<std::vector<uint8_t>> gpuocc::initialBytes(const PtxVariable &V) {
  constexpr uint64_t MostBytes = 64 << 10;
  const uint64_t Size = V.sizeBytes(), ElementBytes = V.Type.Bits / 8;
  StringRef Rest = V.Initializer.trim();
  if (Rest.empty() || Size == 0 || Size > MostBytes || ElementBytes > 8)
    return std::nullopt;
  if (Rest.consume_front("{") && !Rest.consume_back("}"))
    return std::nullopt;
  std::vector<uint8_t> Bytes;
  while (!Rest.empty()) {
    StringRef Number;
    std::tie(Number, Rest) = Rest.split(',');
    const std::optional<uint64_t> Bits = numberOf(Number.trim());
    if (!Bits || Bytes.size() + ElementBytes > Size)
      return std::nullopt;
    for (uint64_t Byte = 0; Byte != ElementBytes; ++Byte)
      Bytes.push_back(uint8_t(*Bits >> (8 * Byte)));
  }
  Bytes.resize(Size);
  return Bytes;
}
