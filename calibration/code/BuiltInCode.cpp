//===- BuiltInCode.cpp - Machine code made when this was built ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuiltInCode.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuocc::calibration {

uint64_t ptxHash(StringRef Ptx) { return xxh3_64bits(Ptx); }

StringRef builtInCode(StringRef Ptx, int Optimization) {
  uint64_t Hash = ptxHash(Ptx);
  for (size_t I = 0; I < BuiltInCodeCount; ++I) {
    const BuiltInCode &C = BuiltInCodes[I];
    if (C.PtxHash == Hash && C.Optimization == Optimization)
      return StringRef(C.Begin, C.End - C.Begin);
  }
  return "";
}

} // namespace gpuocc::calibration
