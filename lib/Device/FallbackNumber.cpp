//===- FallbackNumber.cpp - Numbers for devices that lack them ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/FallbackNumber.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::borrowedNumber(StringRef Key, StringRef Whence) {
  return (Key + " (" + Whence + ")").str();
}

const FallbackNumber *gpuocc::fallbackNumber(Quantity Q) {
  switch (Q) {
#define FALLBACK_NUMBER(Which, Value, Origin)                                  \
  case Quantity::Which: {                                                      \
    static constexpr FallbackNumber Number = {Value, Origin};                  \
    return &Number;                                                            \
  }
#include "FallbackNumbers.def"
  default:
    return nullptr;
  }
}

const FallbackNumber *gpuocc::fallbackNumber(TimingField Field) {
  switch (Field) {
#define FALLBACK_TIMING(Which, Value, Origin)                                  \
  case TimingField::Which: {                                                   \
    static constexpr FallbackNumber Number = {Value, Origin};                  \
    return &Number;                                                            \
  }
#include "FallbackNumbers.def"
  default:
    return nullptr;
  }
}

const FallbackNumber *
gpuocc::fallbackNumber(std::optional<unsigned> ArchLimits::*Limit) {
#define FALLBACK_LIMIT(Member, Value, Origin)                                  \
  if (Limit == &ArchLimits::Member) {                                          \
    static constexpr FallbackNumber Number = {Value, Origin};                  \
    return &Number;                                                            \
  }
#include "FallbackNumbers.def"
  return nullptr;
}

double gpuocc::defaultNumber(Quantity Q) {
  switch (Q) {
#define DEFAULT_NUMBER(Which, Value, Why)                                      \
  case Quantity::Which:                                                        \
    return Value;
#include "FallbackNumbers.def"
  default:
    llvm_unreachable("a quantity without a default");
  }
}

double gpuocc::defaultNumber(TimingField Field) {
  switch (Field) {
#define DEFAULT_TIMING(Which, Value, Why)                                      \
  case TimingField::Which:                                                     \
    return Value;
#include "FallbackNumbers.def"
  default:
    llvm_unreachable("a field without a default");
  }
}

unsigned gpuocc::limitOrDefault(const ArchLimits &Limits,
                                std::optional<unsigned> ArchLimits::*Limit) {
  if (Limits.*Limit)
    return *(Limits.*Limit);
#define DEFAULT_LIMIT(Member, Value, Why)                                      \
  if (Limit == &ArchLimits::Member)                                            \
    return Value;
#include "FallbackNumbers.def"
  llvm_unreachable("a limit without a default");
}
