//===- Sass.cpp - What nvdisasm prints to facts ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/ReadSass.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<std::vector<SassFunction>> Functions =
      parseDisassembly(text(Data, Size), "f.sass");
  if (!isRead(Functions))
    return 0;
  SassKernel Of;
  Of.Architecture = "sm_90";
  Of.Layout = constantLayout(Of.Architecture);
  for (const SassFunction &F : *Functions) {
    if (Expected<KernelFacts> Facts = readSass(F); isRead(Facts))
      mustSucceed(verifyFacts(*Facts), "facts fit together");
    if (Expected<KernelFacts> Facts = readSassAlone(F, Of); isRead(Facts))
      mustSucceed(verifyFacts(*Facts), "facts fit together");
  }
  return 0;
}
