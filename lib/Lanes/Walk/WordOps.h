//===- WordOps.h - Integer operations of one lane ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WORDOPS_H
#define GPUOCC_LIB_LANES_WALK_WORDOPS_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/Operation.h"
#include <algorithm>
#include <cstdint>

// Operands may have anything above their Bits low bits, results have zeros.
// Inline: each is the body of a loop over lanes.

namespace gpuocc {

/// Signed numbers of \p Bits bits whose sign bit is flipped stand in the order
/// of unsigned ones.
inline uint64_t signBit(unsigned Bits) {
  return Bits ? uint64_t(1) << (std::min(Bits, 64u) - 1) : 0;
}

/// MulHiS or MulHiU: the upper \p Bits bits of the product.
inline uint64_t mulHigh(Semantics What, uint64_t A, uint64_t B, unsigned Bits) {
  if (What == Semantics::MulHiS) {
    __int128 P = __int128(signExtend(A, Bits)) * signExtend(B, Bits);
    return uint64_t(P >> Bits) & lowBits(Bits);
  }
  unsigned __int128 P =
      static_cast<unsigned __int128>(A & lowBits(Bits)) * (B & lowBits(Bits));
  return uint64_t(P >> Bits) & lowBits(Bits);
}

/// DivS, DivU, RemS or RemU. By zero both are all ones.
inline uint64_t divide(Semantics What, uint64_t A, uint64_t B, unsigned Bits) {
  const bool Signed = What == Semantics::DivS || What == Semantics::RemS;
  const bool Remainder = What == Semantics::RemS || What == Semantics::RemU;
  uint64_t M = lowBits(Bits);
  A &= M;
  B &= M;
  if (B == 0)
    return M;
  if (!Signed)
    return Remainder ? A % B : A / B;
  int64_t SA = signExtend(A, Bits), SB = signExtend(B, Bits);
  if (SB == -1)
    return Remainder ? 0 : (0 - A) & M;
  return uint64_t(Remainder ? SA % SB : SA / SB) & M;
}

/// Shl, ShrU or ShrS; amounts beyond the width are clamped.
inline uint64_t shift(Semantics What, uint64_t A, uint64_t Amount,
                      unsigned Bits) {
  uint64_t M = lowBits(Bits);
  A &= M;
  Amount &= 0xffffffffu;
  if (What == Semantics::Shl)
    return Amount >= Bits ? 0 : (A << Amount) & M;
  if (What == Semantics::ShrU)
    return Amount >= Bits ? 0 : A >> Amount;
  return uint64_t(signExtend(A, Bits) >> std::min<uint64_t>(Amount, Bits - 1)) &
         M;
}

/// FunnelL or FunnelR: the upper word of \p High and \p Low shifted to the
/// left, or the lower one of both shifted to the right; of the amount the low
/// five bits count.
inline uint64_t funnel(Semantics What, uint64_t Low, uint64_t High,
                       uint64_t Amount) {
  uint64_t Pair = (High << 32) | (Low & 0xffffffffu);
  Amount &= 31;
  return What == Semantics::FunnelL ? (Pair << Amount) >> 32
                                    : (Pair >> Amount) & 0xffffffffu;
}

/// BfeS or BfeU, PTX bfe: position and length are bytes; bits past the sign
/// repeat it.
inline uint64_t extractField(Semantics What, uint64_t A, uint64_t Pos,
                             uint64_t Len, unsigned Bits) {
  Pos &= 0xff;
  Len &= 0xff;
  if (Len == 0)
    return 0;
  A &= lowBits(Bits);
  unsigned Last = unsigned(std::min<uint64_t>(Pos + Len - 1, Bits - 1));
  uint64_t Sign = What == Semantics::BfeS ? (A >> Last) & 1 : 0;
  uint64_t Field = Pos >= Bits ? 0 : A >> Pos;
  uint64_t Kept = Pos >= Bits ? 0 : std::min<uint64_t>(Len, Bits - Pos);
  Field &= lowBits(unsigned(Kept));
  if (Sign)
    Field |= ~lowBits(unsigned(Kept));
  return Field & lowBits(Bits);
}

/// PTX bfi: the low \p Len bits of \p A at \p Pos of \p B.
inline uint64_t insertField(uint64_t A, uint64_t B, uint64_t Pos, uint64_t Len,
                            unsigned Bits) {
  Pos &= 0xff;
  Len &= 0xff;
  uint64_t M = lowBits(Bits);
  if (Pos >= Bits || Len == 0)
    return B & M;
  uint64_t Field = (lowBits(unsigned(std::min<uint64_t>(Len, 64))) << Pos) & M;
  return ((B & ~Field) | ((A << Pos) & Field)) & M;
}

/// PTX prmt: each nibble of \p Selector picks one of eight bytes, or its sign.
inline uint64_t bytePermute(uint64_t A, uint64_t B, uint64_t Selector) {
  uint64_t Pair = (B << 32) | (A & 0xffffffffu), Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    unsigned Nibble = (Selector >> (4 * I)) & 0xf;
    uint64_t Byte = (Pair >> (8 * (Nibble & 7))) & 0xff;
    if (Nibble & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}

inline uint64_t reverseBits(uint64_t A, unsigned Bits) {
  uint64_t R = 0;
  for (unsigned I = 0; I < Bits; ++I)
    R |= ((A >> I) & 1) << (Bits - 1 - I);
  return R;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WORDOPS_H
