//===- Lz4Block.cpp - Blocks that LZ4 compressed --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lz4Block.h"

using namespace gpuocc;
using namespace llvm;

/// A length of which \p Length are the 4 bits in the token: 15 goes on in bytes
/// until one is not 255. False where \p Rest ends before.
static bool takeLength(StringRef &Rest, uint64_t &Length) {
  constexpr uint64_t GoesOnInBytes = 15;
  constexpr uint8_t GoesOn = 255;
  if (Length != GoesOnInBytes)
    return true;
  uint8_t Byte = GoesOn;
  while (Byte == GoesOn) {
    if (Rest.empty())
      return false;
    Byte = uint8_t(Rest.front());
    Length += Byte;
    Rest = Rest.drop_front();
  }
  return true;
}

std::optional<std::string> gpuocc::decompressLz4Block(StringRef Compressed,
                                                      uint64_t Bytes) {
  constexpr uint64_t LeastMatch = 4;
  // No block holds more than 255 times its size: what says so is damaged.
  constexpr uint64_t MostPerByte = 255;
  if (Bytes / MostPerByte > Compressed.size())
    return std::nullopt;
  std::string Out;
  Out.reserve(Bytes);
  StringRef Rest = Compressed;
  while (!Rest.empty()) {
    const uint8_t Token = uint8_t(Rest.front());
    Rest = Rest.drop_front();
    uint64_t Literals = Token >> 4;
    if (!takeLength(Rest, Literals) || Literals > Rest.size() ||
        Literals > Bytes - Out.size())
      return std::nullopt;
    Out.append(Rest.data(), Literals);
    Rest = Rest.drop_front(Literals);
    // The last sequence is literals only.
    if (Rest.empty())
      break;
    if (Rest.size() < 2)
      return std::nullopt;
    const uint64_t Distance = uint8_t(Rest[0]) | uint64_t(uint8_t(Rest[1]))
                                                     << 8;
    Rest = Rest.drop_front(2);
    uint64_t Match = Token & 15;
    if (!takeLength(Rest, Match))
      return std::nullopt;
    Match += LeastMatch;
    if (Distance == 0 || Distance > Out.size() || Match > Bytes - Out.size())
      return std::nullopt;
    // A match may overlap what it makes.
    for (uint64_t I = 0; I != Match; ++I)
      Out += Out[Out.size() - Distance];
  }
  if (Out.size() != Bytes)
    return std::nullopt;
  return Out;
}
