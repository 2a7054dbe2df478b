//===- LaunchMemory.cpp - What a launch says lies in memory ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LaunchMemory.h"
#include "Walk/WalkAddresses.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The \p Bytes bytes from byte \p At on of what has hexadecimal \p Digits, two
/// a byte; nothing behind their end, nor where they are none.
static std::optional<uint64_t> wordOf(StringRef Digits, uint64_t At,
                                      unsigned Bytes) {
  if (At > Digits.size() || (At + Bytes) * 2 > Digits.size())
    return std::nullopt;
  uint64_t Word = 0;
  for (unsigned Byte = Bytes; Byte-- != 0;) {
    uint8_t Value = 0;
    if (!tryGetHexFromNibbles(Digits[(At + Byte) * 2],
                              Digits[(At + Byte) * 2 + 1], Value))
      return std::nullopt;
    Word = Word << 8 | Value;
  }
  return Word;
}

bool gpuocc::mayBeAddress(uint64_t Word) {
  constexpr uint64_t EndOfUserSpace = uint64_t(1) << 47;
  return Word >= FirstDeviceAddress && Word < EndOfUserSpace;
}

std::optional<LaunchMemory::KnownWord>
LaunchMemory::read(uint64_t Address, unsigned Bytes) const {
  if (const std::optional<uint64_t> Byte = parameterByteAt(Address)) {
    const std::optional<uint64_t> Word = parameterWord(*Byte, Bytes);
    return Word ? std::optional(KnownWord{*Word}) : std::nullopt;
  }
  if (const std::optional<SymbolByte> At = symbolAt(Facts, Address)) {
    const Symbol &Table = Facts.Symbols[At->Symbol];
    const std::optional<uint64_t> Word =
        wordOf(Table.Contents, At->Byte, Bytes);
    if (!Word)
      return std::nullopt;
    return KnownWord{*Word, Table.IsReadOnly ? NoIndex : At->Symbol};
  }
  if (Arrays.isEmpty())
    return std::nullopt;
  const std::optional<ArrayByte> At = arrayAt(Facts, Address);
  const ArrayContents *Array = At ? Arrays.find(At->Array) : nullptr;
  const std::optional<uint64_t> Word =
      Array ? Array->read(At->Byte, Bytes) : std::nullopt;
  if (!Word)
    return std::nullopt;
  const bool IsAssumed = Array->isBetweenParts(At->Byte, Bytes);
  return KnownWord{*Word, NoIndex, At->Array,
                   IsAssumed ? &*Array->parts() : nullptr,
                   Array->rows() ? &*Array->rows() : nullptr};
}

std::optional<uint64_t> LaunchMemory::structWord(unsigned Parameter,
                                                 uint64_t Inside,
                                                 unsigned Bits) const {
  auto It = L.StructBytes.find(Parameter);
  if (It == L.StructBytes.end())
    return std::nullopt;
  const std::optional<uint64_t> Word =
      wordOf(It->second.Value, Inside, std::max(1u, Bits / 8));
  return Word ? std::optional(*Word & lowBits(Bits)) : std::nullopt;
}

std::optional<uint64_t> LaunchMemory::parameterByteAt(uint64_t Address) const {
  const std::optional<SymbolByte> At = symbolAt(Facts, Address);
  if (!At || Facts.Symbols[At->Symbol].Space != MemorySpace::Param)
    return std::nullopt;
  return At->Byte;
}

std::optional<uint64_t> LaunchMemory::parameterWord(uint64_t At,
                                                    unsigned Bytes) const {
  // Members that are given one by one take precedence, and are not put together
  // here.
  const auto Member = L.Members.lower_bound(unsigned(At));
  if (Member != L.Members.end() && Member->first < At + Bytes)
    return std::nullopt;
  for (const auto &[I, P] : enumerate(Facts.Parameters))
    if (At - P.OffsetBytes < P.SizeBytes)
      return structWord(unsigned(I), At - P.OffsetBytes, Bytes * 8);
  return std::nullopt;
}

uint64_t LaunchMemory::pointerInStruct(uint64_t Address, uint64_t Word) const {
  const std::optional<uint64_t> Byte = parameterByteAt(Address);
  if (!Byte || !mayBeAddress(Word))
    return Word;
  for (const auto &[I, P] : enumerate(Facts.Parameters))
    if (*Byte - P.OffsetBytes < P.SizeBytes)
      return memberStart(unsigned(I), *Byte - P.OffsetBytes);
  return Word;
}

bool LaunchMemory::isHostMemory(uint64_t Address) const {
  const std::optional<ArrayByte> At = arrayAt(Facts, Address);
  return At && L.HostMemory.count(unsigned(At->Array)) != 0;
}

std::optional<uint64_t> LaunchMemory::addressWhenSeen(uint64_t Address) const {
  if (!Seen)
    return std::nullopt;
  if (const std::optional<uint64_t> Loaded = seenAddress(Address))
    return Loaded;
  if (const std::optional<ArrayByte> At = arrayAt(Facts, Address)) {
    auto Array = Seen->ArrayAddresses.find(At->Array);
    if (Array == Seen->ArrayAddresses.end())
      return std::nullopt;
    return Array->second + At->Byte;
  }
  const std::optional<SymbolByte> At = symbolAt(Facts, Address);
  if (!At)
    return std::nullopt;
  auto Variable = Seen->Variables.find(Facts.Symbols[At->Symbol].Name);
  if (Variable == Seen->Variables.end())
    return std::nullopt;
  return Variable->second + At->Byte;
}
