//===- ContentDigest.h - A number for what memory holds ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_CONTENTDIGEST_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_CONTENTDIGEST_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpuocc::recorder {

/// A number that other contents hardly ever have.
class ContentDigest {
public:
  void add(const void *Pointer, size_t Bytes) {
    const auto *From = static_cast<const char *>(Pointer);
    for (size_t I = 0; I < Bytes; I += sizeof(Lanes)) {
      uint64_t Words[4] = {};
      std::memcpy(Words, From + I, std::min(sizeof(Words), Bytes - I));
      for (unsigned L = 0; L != 4; ++L) {
        Lanes[L] = (Lanes[L] ^ Words[L]) * Factor;
        Lanes[L] ^= Lanes[L] >> 29;
      }
    }
  }
  /// Of all that was added, which \p Bytes bytes stand for.
  uint64_t number(size_t Bytes) const {
    uint64_t Digest = Bytes;
    for (uint64_t Lane : Lanes)
      Digest = (Digest ^ Lane) * Factor;
    return Digest ^ Digest >> 32;
  }

private:
  static constexpr uint64_t Factor = 0x9e3779b97f4a7c15;
  uint64_t Lanes[4] = {1, 2, 3, 4};
};

/// The number of the \p Bytes bytes behind \p Pointer.
inline uint64_t digestOf(const void *Pointer, size_t Bytes) {
  ContentDigest Digest;
  Digest.add(Pointer, Bytes);
  return Digest.number(Bytes);
}

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_CONTENTDIGEST_H
