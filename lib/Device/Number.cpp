//===- Number.cpp - A number of a device, with its provenance -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/Number.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral OriginKeys[] = {"measured", "vendor", "paper",
                                               "derived", "assumed"};

StringRef gpuocc::numberOriginKey(NumberOrigin Origin) {
  return OriginKeys[size_t(Origin)];
}

std::optional<NumberOrigin> gpuocc::parseNumberOrigin(StringRef Key) {
  const auto *It = llvm::find(OriginKeys, Key);
  if (It == std::end(OriginKeys))
    return std::nullopt;
  return NumberOrigin(It - OriginKeys);
}

ArrayRef<StringLiteral> gpuocc::numberOriginKeys() { return OriginKeys; }
