//===- FloatOps.cpp - Evaluate floating-point operations ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/FloatOps.h"
#include "Walk/SpreadLanes.h"
#include "llvm/ADT/APFloat.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// The number that the low bits of \p V stand for.
template <typename T> static T fromBits(uint64_t V) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(uint32_t(V));
  else
    return std::bit_cast<double>(V);
}

template <typename T> static uint64_t toBits(T V) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(V);
  else
    return std::bit_cast<uint64_t>(V);
}

/// The number that a half stands for.
static float fromHalf(uint64_t V) {
  return APFloat(APFloat::IEEEhalf(), APInt(16, V)).convertToFloat();
}

template <typename T> static T roundToInteger(T V, IntegerRounding Mode) {
  switch (Mode) {
  case IntegerRounding::None:
    return V;
  case IntegerRounding::Nearest:
    return std::nearbyint(V);
  case IntegerRounding::TowardZero:
    return std::trunc(V);
  case IntegerRounding::Down:
    return std::floor(V);
  case IntegerRounding::Up:
    return std::ceil(V);
  }
  return V;
}

template <typename T>
static bool compareNumbers(ComparePredicate P, T A, T B, bool HoldsForNaN) {
  if (std::isnan(A) || std::isnan(B))
    return HoldsForNaN;
  switch (P) {
  case ComparePredicate::EQ:
    return A == B;
  case ComparePredicate::NE:
    return A != B;
  case ComparePredicate::LTS:
    return A < B;
  case ComparePredicate::LES:
    return A <= B;
  case ComparePredicate::GTS:
    return A > B;
  case ComparePredicate::GES:
    return A >= B;
  default:
    return false;
  }
}

/// \p V as an integer of \p Bits bits; what does not fit becomes the nearest
/// that does.
template <typename T>
static uint64_t toInteger(T V, unsigned Bits, bool Signed,
                          IntegerRounding Mode) {
  if (std::isnan(V))
    return 0;
  V = roundToInteger(
      V, Mode == IntegerRounding::None ? IntegerRounding::TowardZero : Mode);
  const unsigned ValueBits = Signed ? Bits - 1 : Bits;
  const T Limit = std::ldexp(T(1), int(ValueBits));
  if (V >= Limit)
    return lowBits(ValueBits);
  if (Signed)
    return (V < -Limit ? uint64_t(1) << ValueBits : uint64_t(int64_t(V))) &
           lowBits(Bits);
  return V <= 0 ? 0 : uint64_t(V);
}

namespace {

/// The operands of a floating-point row in the lanes that are evaluated.
struct FloatLanes {
  SpreadLanes A, B, C;
  unsigned NumLanes;
};

} // namespace

/// One loop over the lanes for each row. \p T is the type of the operands, of
/// the result for conversions from integers.
template <typename T>
static void evaluateAs(const SliceOp &Op, const FloatLanes &In,
                       LaneArray &Out) {
  const auto Mode = IntegerRounding(Op.Imm);
  auto MapRaw = [&](auto Compute) {
    for (unsigned L = 0; L < In.NumLanes; ++L)
      Out[L] = Compute(In.A[L], In.B[L]);
  };
  auto Map = [&](auto Compute) {
    for (unsigned L = 0; L < In.NumLanes; ++L)
      Out[L] = toBits<T>(Compute(fromBits<T>(In.A[L]), fromBits<T>(In.B[L]),
                                 fromBits<T>(In.C[L])));
  };
  switch (Op.What) {
  case Semantics::FAdd:
    return Map([](T A, T B, T) { return A + B; });
  case Semantics::FSub:
    return Map([](T A, T B, T) { return A - B; });
  case Semantics::FMul:
    return Map([](T A, T B, T) { return A * B; });
  case Semantics::FFma:
    return Map([](T A, T B, T C) { return std::fma(A, B, C); });
  case Semantics::FDiv:
    return Map([](T A, T B, T) { return A / B; });
  case Semantics::FRcp:
    return Map([](T A, T, T) { return 1 / A; });
  case Semantics::FSqrt:
    return Map([](T A, T, T) { return std::sqrt(A); });
  case Semantics::FRsqrt:
    return Map([](T A, T, T) { return 1 / std::sqrt(A); });
  case Semantics::FEx2:
    return Map([](T A, T, T) { return std::exp2(A); });
  case Semantics::FLg2:
    return Map([](T A, T, T) { return std::log2(A); });
  case Semantics::FSin:
    return Map([](T A, T, T) { return std::sin(A); });
  case Semantics::FCos:
    return Map([](T A, T, T) { return std::cos(A); });
  case Semantics::FNeg:
    return Map([](T A, T, T) { return -A; });
  case Semantics::FAbs:
    return Map([](T A, T, T) { return std::fabs(A); });
  // -0 is less than 0.
  case Semantics::FMin:
    return MapRaw([](uint64_t RawA, uint64_t RawB) {
      const T A = fromBits<T>(RawA), B = fromBits<T>(RawB);
      return A == B ? RawA | RawB : toBits<T>(std::fmin(A, B));
    });
  case Semantics::FMax:
    return MapRaw([](uint64_t RawA, uint64_t RawB) {
      const T A = fromBits<T>(RawA), B = fromBits<T>(RawB);
      return A == B ? RawA & RawB : toBits<T>(std::fmax(A, B));
    });
  case Semantics::FCompare:
    return MapRaw([&](uint64_t A, uint64_t B) {
      return uint64_t(compareNumbers(Op.Compare, fromBits<T>(A), fromBits<T>(B),
                                     Op.Imm != 0));
    });
  case Semantics::FFromS:
    return MapRaw([&](uint64_t A, uint64_t) {
      return toBits<T>(T(signExtend(A, Op.FromBits)));
    });
  case Semantics::FFromU:
    return MapRaw([&](uint64_t A, uint64_t) {
      return toBits<T>(T(A & lowBits(Op.FromBits)));
    });
  case Semantics::FToS:
  case Semantics::FToU:
    return MapRaw([&](uint64_t A, uint64_t) {
      return toInteger(fromBits<T>(A), Op.Bits, Op.What == Semantics::FToS,
                       Mode);
    });
  case Semantics::FConvert:
    return MapRaw([&](uint64_t A, uint64_t) {
      const T Rounded = roundToInteger(fromBits<T>(A), Mode);
      return Op.Bits == 64 ? toBits<double>(double(Rounded))
                           : toBits<float>(float(Rounded));
    });
  default:
    return MapRaw([](uint64_t, uint64_t) { return uint64_t(0); });
  }
}

static double asNumber(uint64_t V, unsigned Bits) {
  return Bits == 64 ? fromBits<double>(V) : double(fromBits<float>(V));
}

static bool isPowerOfTwo(double V) {
  int Exponent = 0;
  return V > 0 && std::frexp(V, &Exponent) == 0.5;
}

/// Whether the hardware gives exactly what is computed of \p A and \p B: the
/// approximate functions do for some operands only.
static bool isExactlyEvaluated(const SliceOp &Op, uint64_t A, uint64_t B) {
  switch (Op.What) {
  case Semantics::FEx2: {
    double V = asNumber(A, Op.Bits);
    return V == std::floor(V);
  }
  case Semantics::FLg2:
  case Semantics::FRcp:
    return isPowerOfTwo(asNumber(A, Op.Bits));
  case Semantics::FDiv:
    return isPowerOfTwo(asNumber(B, Op.Bits));
  case Semantics::FSin:
  case Semantics::FCos:
    return asNumber(A, Op.Bits) == 0;
  case Semantics::FSqrt:
  case Semantics::FRsqrt:
    return false;
  default:
    // Elsewhere the immediate is no mark of an approximation.
    return true;
  }
}

bool gpuocc::evaluateFloats(const SliceOp &Op,
                            ArrayRef<const LaneValue *> Operands,
                            unsigned NumLanes, LaneArray &Out) {
  // Rows of fewer operands do not read the others.
  auto Operand = [&](size_t I) {
    return SpreadLanes(*Operands[std::min(I, Operands.size() - 1)], NumLanes);
  };
  const FloatLanes In = {Operand(0), Operand(1), Operand(2), NumLanes};
  bool Exactly = true;
  // An immediate of zero marks what is no approximation.
  for (unsigned L = 0; L < NumLanes && Op.Imm != 0 && Exactly; ++L)
    Exactly = isExactlyEvaluated(Op, In.A[L], In.B[L]);
  const bool ReadsOtherType = Op.What == Semantics::FToS ||
                              Op.What == Semantics::FToU ||
                              Op.What == Semantics::FConvert;
  if (Op.What == Semantics::FConvert && Op.FromBits == 16)
    for (unsigned L = 0; L < NumLanes; ++L)
      Out[L] = toBits<float>(fromHalf(In.A[L]));
  else if ((ReadsOtherType ? Op.FromBits : Op.Bits) == 64)
    evaluateAs<double>(Op, In, Out);
  else
    evaluateAs<float>(Op, In, Out);
  return Exactly;
}
