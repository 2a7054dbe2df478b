//===- Architecture.cpp - Names of architectures --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Architecture.h"

using namespace gpuocc;
using namespace llvm;

unsigned gpuocc::architectureNumber(StringRef Arch) {
  if (!Arch.consume_front("sm_") && !Arch.consume_front("compute_"))
    return 0;
  unsigned Number = 0;
  return Arch.rtrim("af").getAsInteger(10, Number) ? 0 : Number;
}
