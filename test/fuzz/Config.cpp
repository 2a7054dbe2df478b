//===- Config.cpp - Configurations and launch options ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/Config.h"
#include "Fuzz.h"
#include "gpuocc/Config/LaunchSpec.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static constexpr StringRef Rules[] = {"BankConflict", "TailEffect"};
  const StringRef Text = text(Data, Size);
  Expected<Config> Read = parseConfig(Text, ".gpu-occupancy", Rules);
  (void)isRead(Read);
  Expected<LaunchSpec> Spec = parseLaunchSpec(Text);
  (void)isRead(Spec);
  return 0;
}
