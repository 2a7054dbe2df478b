//===- FloatOps.cpp - Evaluate floating-point operations ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/FloatOps.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/APFloat.h"
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

/// \p T is the type of the operands, of the result for conversions from
/// integers.
template <typename T>
static uint64_t evaluateAs(const SliceOp &Op, uint64_t RawA, uint64_t RawB,
                           uint64_t RawC) {
  const T A = fromBits<T>(RawA), B = fromBits<T>(RawB), C = fromBits<T>(RawC);
  const auto Mode = IntegerRounding(Op.Imm);
  switch (Op.What) {
  case Semantics::FAdd:
    return toBits<T>(A + B);
  case Semantics::FSub:
    return toBits<T>(A - B);
  case Semantics::FMul:
    return toBits<T>(A * B);
  case Semantics::FFma:
    return toBits<T>(std::fma(A, B, C));
  case Semantics::FDiv:
    return toBits<T>(A / B);
  case Semantics::FRcp:
    return toBits<T>(1 / A);
  case Semantics::FSqrt:
    return toBits<T>(std::sqrt(A));
  case Semantics::FRsqrt:
    return toBits<T>(1 / std::sqrt(A));
  case Semantics::FEx2:
    return toBits<T>(std::exp2(A));
  case Semantics::FLg2:
    return toBits<T>(std::log2(A));
  case Semantics::FSin:
    return toBits<T>(std::sin(A));
  case Semantics::FCos:
    return toBits<T>(std::cos(A));
  case Semantics::FNeg:
    return toBits<T>(-A);
  case Semantics::FAbs:
    return toBits<T>(std::fabs(A));
  // -0 is less than 0.
  case Semantics::FMin:
    return A == B ? RawA | RawB : toBits<T>(std::fmin(A, B));
  case Semantics::FMax:
    return A == B ? RawA & RawB : toBits<T>(std::fmax(A, B));
  case Semantics::FCompare:
    return compareNumbers(Op.Compare, A, B, Op.Imm != 0);
  case Semantics::FFromS:
    return toBits<T>(T(signExtend(RawA, Op.FromBits)));
  case Semantics::FFromU:
    return toBits<T>(T(RawA & lowBits(Op.FromBits)));
  case Semantics::FToS:
    return toInteger(A, Op.Bits, true, Mode);
  case Semantics::FToU:
    return toInteger(A, Op.Bits, false, Mode);
  case Semantics::FConvert: {
    T Rounded = roundToInteger(A, Mode);
    return Op.Bits == 64 ? toBits<double>(double(Rounded))
                         : toBits<float>(float(Rounded));
  }
  default:
    return 0;
  }
}

uint64_t gpuocc::evaluateFloat(const SliceOp &Op, uint64_t A, uint64_t B,
                               uint64_t C) {
  const bool ReadsOtherType = Op.What == Semantics::FToS ||
                              Op.What == Semantics::FToU ||
                              Op.What == Semantics::FConvert;
  if (Op.What == Semantics::FConvert && Op.FromBits == 16)
    return toBits<float>(fromHalf(A));
  return (ReadsOtherType ? Op.FromBits : Op.Bits) == 64
             ? evaluateAs<double>(Op, A, B, C)
             : evaluateAs<float>(Op, A, B, C);
}

static double asNumber(uint64_t V, unsigned Bits) {
  return Bits == 64 ? fromBits<double>(V) : double(fromBits<float>(V));
}

static bool isPowerOfTwo(double V) {
  int Exponent = 0;
  return V > 0 && std::frexp(V, &Exponent) == 0.5;
}

bool gpuocc::isExactlyEvaluated(const SliceOp &Op, uint64_t A, uint64_t B) {
  if (Op.Imm == 0)
    return true;
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
