//===- DirectedRounding.cpp - Arithmetic that rounds another way ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectedRounding.h"
#include <cfenv>
#include <cmath>
#include <cstdint>

using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// The rounding of the thread, for a scope.
class Rounding {
public:
  explicit Rounding(int Mode) : Before(std::fegetround()) {
    std::fesetround(Mode);
  }
  ~Rounding() { std::fesetround(Before); }

private:
  int Before;
};

struct FunctionRow {
  StringLiteral Name;
  void *Address;
};

} // namespace

// The compiler may not compute what is volatile before the rounding is set.
template <int Mode, typename T> static T add(T X, T Y) {
  volatile T A = X, B = Y;
  Rounding Scope(Mode);
  volatile T Result = A + B;
  return Result;
}
template <int Mode, typename T> static T mul(T X, T Y) {
  volatile T A = X, B = Y;
  Rounding Scope(Mode);
  volatile T Result = A * B;
  return Result;
}
template <int Mode, typename T> static T div(T X, T Y) {
  volatile T A = X, B = Y;
  Rounding Scope(Mode);
  volatile T Result = A / B;
  return Result;
}
template <int Mode, typename T> static T fma(T X, T Y, T Z) {
  volatile T A = X, B = Y, C = Z;
  Rounding Scope(Mode);
  volatile T Result = std::fma(T(A), T(B), T(C));
  return Result;
}
template <int Mode, typename T> static T rcp(T X) {
  return div<Mode, T>(T(1), X);
}
template <int Mode, typename T> static T sqrt(T X) {
  volatile T A = X;
  Rounding Scope(Mode);
  volatile T Result = std::sqrt(T(A));
  return Result;
}
template <int Mode, typename From, typename To> static To convert(From X) {
  volatile From A = X;
  Rounding Scope(Mode);
  volatile To Result = To(A);
  return Result;
}

template <typename T> static void *addressOf(T *Function) {
  return reinterpret_cast<void *>(Function);
}

void *gpuocc::execute::directedRounding(StringRef Name) {
#define ARITHMETIC(Operation, Suffix, Mode)                                    \
  {"gpuocc_" #Operation "_" Suffix "_f", addressOf(Operation<Mode, float>)},   \
      {"gpuocc_" #Operation "_" Suffix "_d",                                   \
       addressOf(Operation<Mode, double>)}
#define CONVERSION(Text, Suffix, Mode, From, To)                               \
  {"gpuocc_" Text "_" Suffix, addressOf(convert<Mode, From, To>)}
#define ROUNDED(Suffix, Mode)                                                  \
  ARITHMETIC(add, Suffix, Mode), ARITHMETIC(mul, Suffix, Mode),                \
      ARITHMETIC(div, Suffix, Mode), ARITHMETIC(fma, Suffix, Mode),            \
      ARITHMETIC(rcp, Suffix, Mode), ARITHMETIC(sqrt, Suffix, Mode),           \
      CONVERSION("i2f", Suffix, Mode, int32_t, float),                         \
      CONVERSION("ui2f", Suffix, Mode, uint32_t, float),                       \
      CONVERSION("ll2f", Suffix, Mode, int64_t, float),                        \
      CONVERSION("ull2f", Suffix, Mode, uint64_t, float),                      \
      CONVERSION("ll2d", Suffix, Mode, int64_t, double),                       \
      CONVERSION("ull2d", Suffix, Mode, uint64_t, double),                     \
      CONVERSION("i2d", Suffix, Mode, int32_t, double),                        \
      CONVERSION("ui2d", Suffix, Mode, uint32_t, double),                      \
      CONVERSION("d2f", Suffix, Mode, double, float)
  static const FunctionRow Rows[] = {ROUNDED("rz", FE_TOWARDZERO),
                                     ROUNDED("rm", FE_DOWNWARD),
                                     ROUNDED("rp", FE_UPWARD)};
#undef ROUNDED
#undef CONVERSION
#undef ARITHMETIC
  for (const FunctionRow &R : Rows)
    if (R.Name == Name)
      return R.Address;
  return nullptr;
}
