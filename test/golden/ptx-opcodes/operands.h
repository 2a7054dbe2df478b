//===- operands.h - Operands that opcodes are tried with ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same in the program that a GPU runs and in the test that compares.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_GOLDEN_PTX_OPCODES_OPERANDS_H
#define GPUOCC_TEST_GOLDEN_PTX_OPCODES_OPERANDS_H

#include <cstdint>

#ifdef __CUDACC__
#define GPUOCC_BOTH __host__ __device__
#else
#define GPUOCC_BOTH
#endif

namespace opcodes {

constexpr unsigned NumTrials = 10240, NumSamples = 4;

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014).
GPUOCC_BOTH inline uint64_t mix(uint64_t X) {
  X += 0x9E3779B97F4A7C15ull;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9ull;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EBull;
  return X ^ (X >> 31);
}

/// FNV-1a of a case's text, the seed of its operands.
GPUOCC_BOTH inline uint64_t seedOf(const char *Text) {
  uint64_t H = 0xcbf29ce484222325ull;
  for (; *Text; ++Text)
    H = (H ^ uint64_t((unsigned char)(*Text))) * 0x100000001b3ull;
  return H;
}

/// A whole number: any, small, near a power of two, or of few bits.
GPUOCC_BOTH inline uint64_t wholeNumber(uint64_t Random) {
  const uint64_t V = mix(Random), By = mix(V) % 64;
  switch (Random >> 60) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    return V;
  case 5:
  case 6:
  case 7:
  case 8:
    return V % 80;
  case 9:
    return uint64_t(1) << By;
  case 10:
    return (uint64_t(1) << By) - 1;
  case 11:
    return ~(V % 80);
  case 12:
    return V << By;
  case 13:
    return (V % 2) << 31 | (V % 3) << 62;
  default:
    return V >> By;
  }
}

/// The bits of a floating-point number with \p Exponent bits of exponent and
/// \p Fraction of fraction: any bits, or a number near 1.
GPUOCC_BOTH inline uint64_t floatBits(uint64_t Random, unsigned Exponent,
                                      unsigned Fraction) {
  const uint64_t V = mix(Random);
  const uint64_t Ones = (uint64_t(1) << Exponent) - 1;
  if ((Random >> 60) < 5)
    return V;
  const uint64_t Sign = V & 1, Shift = (V >> 8) % 24,
                 Bias = (uint64_t(1) << (Exponent - 1)) - 1;
  uint64_t Parts = (V >> 20) & ((uint64_t(1) << Fraction) - 1);
  if ((V >> 4) & 1)
    Parts &= ~uint64_t(0) << (Fraction - Fraction / 3);
  uint64_t E = Bias + Shift;
  E = E < 12 ? 0 : E - 12;
  return Sign << (Exponent + Fraction) | (E & Ones) << Fraction | Parts;
}

/// Operand \p Index of trial \p Trial. Kinds: h, r, l whole numbers of 16, 32
/// and 64 bits; f, d numbers; e, b one half or bfloat16 in 16 bits, E, B two
/// of them in 32; p a predicate as 0 or 1; m the mask of all lanes; q, Q
/// 32 and 64 bits of few different values.
GPUOCC_BOTH inline uint64_t operand(char Kind, uint64_t Seed, unsigned Trial,
                                    unsigned Index) {
  const uint64_t R = mix(Seed + Trial * uint64_t(16) + Index);
  switch (Kind) {
  case 'h':
    return wholeNumber(R) & 0xffff;
  case 'r':
    return wholeNumber(R) & 0xffffffff;
  case 'l':
    return wholeNumber(R);
  case 'f':
    return floatBits(R, 8, 23) & 0xffffffff;
  case 'd':
    return floatBits(R, 11, 52);
  case 'e':
    return floatBits(R, 5, 10) & 0xffff;
  case 'b':
    return floatBits(R, 8, 7) & 0xffff;
  case 'E':
    return (floatBits(R, 5, 10) & 0xffff) | (floatBits(mix(R), 5, 10) & 0xffff)
                                                << 16;
  case 'B':
    return (floatBits(R, 8, 7) & 0xffff) | (floatBits(mix(R), 8, 7) & 0xffff)
                                               << 16;
  case 'p':
    return R & 1;
  case 'm':
    return 0xffffffff;
  case 'q':
    return (R >> 8) % 3 * 0x1001;
  case 'Q':
    return (R >> 8) % 3 * 0x100000001001ull;
  default:
    return 0;
  }
}

/// \p Bits of a result; all that are no numbers are alike.
GPUOCC_BOTH inline uint64_t canonical(char Kind, uint64_t Bits) {
  if (Kind == 'f')
    return (Bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : Bits & 0xffffffff;
  if (Kind == 'd')
    return (Bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull
               ? 0x7fffffffffffffffull
               : Bits;
  if (Kind == 'l' || Kind == 'Q')
    return Bits;
  return Bits &
         (Kind == 'h' || Kind == 'e' || Kind == 'b' ? 0xffff : 0xffffffff);
}

} // namespace opcodes

#undef GPUOCC_BOTH

#endif // GPUOCC_TEST_GOLDEN_PTX_OPCODES_OPERANDS_H
