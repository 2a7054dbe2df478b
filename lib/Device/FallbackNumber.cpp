//===- FallbackNumber.cpp - Numbers for devices that lack them ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/FallbackNumber.h"

using namespace gpuocc;

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
