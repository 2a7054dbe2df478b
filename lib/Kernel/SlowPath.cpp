//===- SlowPath.cpp - Slow paths of divisions and roots -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/SlowPath.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static bool isWideDivision(const Operation &Op) {
  return Op.Bits == 64 && is_contained({Semantics::DivS, Semantics::DivU,
                                        Semantics::RemS, Semantics::RemU},
                                       Op.What);
}

bool gpuocc::mayTakeSlowPath(const Operation &Op) {
  if (isWideDivision(Op))
    return !Op.Emits.empty();
  return (Op.What == Semantics::FDiv || Op.What == Semantics::FRcp ||
          Op.What == Semantics::FSqrt) &&
         (Op.Bits == 32 || Op.Bits == 64) &&
         any_of(Op.Emits, [](const Emission &E) {
           return hasTrait(E.Class, InstTrait::Jump);
         });
}

static uint32_t upperHalf(uint64_t Bits) { return uint32_t(Bits >> 32); }

/// The halves of doubles are compared as floats.
static float asFloat(uint32_t Bits) { return bit_cast<float>(Bits); }

static unsigned exponentOf(uint32_t Bits) { return (Bits >> 23) & 0xff; }

/// FCHK: an exponent, their difference or what is left of a numerator of 24
/// bits leaves the range. What it asks in between the operands that were tried
/// is taken from the short code, which is right for all others.
static bool divisionIsChecked(uint32_t A, uint32_t B) {
  const int OfA = int(exponentOf(A)), OfB = int(exponentOf(B));
  constexpr int Special = 255, Range = 125, LeastNumerator = 24;
  return OfA == Special || OfA <= LeastNumerator || OfB == 0 ||
         OfB >= Special - 2 || OfA - OfB > Range + 1 || OfA - OfB < -Range;
}

static bool doubleDivisionIsSlow(uint64_t A, uint64_t B) {
  const double Quotient = bit_cast<double>(A) / bit_cast<double>(B);
  const float OfA = std::fabs(asFloat(upperHalf(A)));
  const float OfQuotient =
      std::fabs(std::fma(0.0F, asFloat(upperHalf(B)),
                         asFloat(upperHalf(bit_cast<uint64_t>(Quotient)))));
  const float LeastNumerator = asFloat(0x03600000);
  const float LeastQuotient = asFloat(0x00100000);
  return OfA < LeastNumerator || !(OfQuotient > LeastQuotient);
}

bool gpuocc::takesSlowPath(Semantics What, unsigned Bits, uint64_t A,
                           uint64_t B) {
  const bool IsDouble = Bits == 64;
  const uint32_t High = IsDouble ? upperHalf(A) : uint32_t(A);
  switch (What) {
  case Semantics::FDiv:
    return IsDouble ? doubleDivisionIsSlow(A, B)
                    : divisionIsChecked(uint32_t(A), uint32_t(B));
  case Semantics::FRcp:
    return IsDouble
               ? std::fabs(asFloat(High + 0x00300402)) < asFloat(0x00400402)
               : ((High + 0x01800000) & 0x7f800000) <= 0x01ffffff;
  case Semantics::FSqrt:
    return IsDouble ? High - 0x03500000 >= 0x7ca00000
                    : High - 0x0d000000 > 0x727fffff;
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    return upperHalf(A | B) != 0;
  default:
    return false;
  }
}

/// Of zeros; infinities take a few more, denormals up to three times as many.
ArrayRef<Emission> gpuocc::slowPathOf(Semantics What, unsigned Bits) {
  using C = InstClass;
  // Pipes by counters of launches, 0 / 3 and the like minus 1 / 3: an H200,
  // 2026-11-28. Branches on the path have the cycles that are left.
  static const Emission Division32[] = {
      {C::Lop3, 17, 17}, {C::IMad, 7, 7}, {C::Branch, 4, 4}, {C::Nop, 6, 0}};
  static const Emission Division64[] = {{C::Lop3, 24, 20}, {C::IMad, 19, 10},
                                        {C::DFma, 12, 10}, {C::MufuRcp64, 1, 1},
                                        {C::Branch, 4, 4}, {C::Nop, 5, 0}};
  static const Emission Reciprocal32[] = {{C::Lop3, 4, 4},
                                          {C::FFma, 7, 7},
                                          {C::MufuRcp, 1, 1},
                                          {C::Branch, 4, 3},
                                          {C::Nop, 3, 0}};
  static const Emission Reciprocal64[] = {{C::Lop3, 5, 5},
                                          {C::IMad, 4, 4},
                                          {C::DFma, 1, 1},
                                          {C::Branch, 4, 4},
                                          {C::Nop, 2, 0}};
  static const Emission Root32[] = {{C::Lop3, 3, 3}, {C::Branch, 2, 2}};
  static const Emission Root64[] = {{C::Lop3, 5, 5},
                                    {C::IMad, 5, 5},
                                    {C::DFma, 2, 2},
                                    {C::Branch, 4, 4},
                                    {C::Nop, 2, 0}};
  const bool IsDouble = Bits == 64;
  switch (What) {
  case Semantics::FDiv:
    return IsDouble ? ArrayRef(Division64) : ArrayRef(Division32);
  case Semantics::FRcp:
    return IsDouble ? ArrayRef(Reciprocal64) : ArrayRef(Reciprocal32);
  case Semantics::FSqrt:
    return IsDouble ? ArrayRef(Root64) : ArrayRef(Root32);
  default:
    return {};
  }
}

/// What a division of 64 bits issues whose operands have 32.
static ArrayRef<Emission> narrowDivision() {
  using C = InstClass;
  static const Emission Narrow[] = {{C::CvtI2F},         {C::MufuRcp},
                                    {C::CvtF2I},         {C::IMadHi, 2, 2},
                                    {C::IMad, 7, 4},     {C::IAdd3, 4, 3},
                                    {C::ISetp, 3, 2},    {C::Lop3, 1, 1},
                                    {C::Converge, 2, 0}, {C::Branch, 1, 1}};
  return Narrow;
}

static void append(ArrayRef<Emission> From, double Share, Operation &Op) {
  if (Share <= 0)
    return;
  for (const Emission &E : From)
    Op.Emits.push_back(
        Emission(E.Class, E.Count * float(Share), E.OnPath * float(Share)));
}

void gpuocc::addSlowPaths(const ExecutionProfile &Profile, KernelFacts &Facts) {
  for (const SlowPathProfile &P : Profile.SlowPaths) {
    if (P.Op >= Facts.Operations.size())
      continue;
    Operation &Op = Facts.Operations[P.Op];
    if (isWideDivision(Op)) {
      // Its slow path is what it issues otherwise.
      const auto Slow = std::exchange(Op.Emits, {});
      append(narrowDivision(), 1 - P.Share, Op);
      append(Slow, P.Share, Op);
    } else {
      append(slowPathOf(Op.What, Op.Bits), P.Share, Op);
    }
  }
}
