//===- Cubin.cpp - Machine code in files, and the PTX that it keeps -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "sources/CubinCode.h"
#include "sources/CubinFile.h"
#include "sources/CubinKernels.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Bytes = text(Data, Size);
  for (StringRef Cubin : findCubins(Bytes))
    (void)kernelsOfCubin(Cubin);
  (void)cubinsIn(Bytes);
  return 0;
}
