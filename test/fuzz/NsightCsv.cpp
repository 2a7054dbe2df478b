//===- NsightCsv.cpp - Tables of a profiler -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/NsightCsv.h"
#include "Fuzz.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<std::vector<MeasuredLaunch>> Launches =
      parseNsightCsv(text(Data, Size), "ncu.csv");
  (void)isRead(Launches);
  return 0;
}
