//===- Registers.cpp - Ask the assembler where there is one ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registers.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::string> gpuocc::choosePtxas(StringRef Choice) {
  if (Choice == "off")
    return std::string();
  if (Choice == "auto")
    return findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).Ptxas;
  ErrorOr<std::string> Found = sys::findProgramByName(Choice);
  if (!Found || !sys::fs::can_execute(*Found))
    return createStringError("there is no assembler '" + Choice + "'");
  return *Found;
}

void gpuocc::assembleForResources(std::vector<KernelFacts> &Kernels,
                                  StringRef Ptxas, StringRef Ptx) {
  Expected<AssembledKernels> Assembled = runPtxas(Ptxas, Ptx);
  if (!Assembled) {
    std::string Why = "estimate (" + toString(Assembled.takeError()) + ")";
    for (KernelFacts &Facts : Kernels)
      Facts.Resources.Source = Why;
    return;
  }
  for (KernelFacts &Facts : Kernels) {
    auto Found = Assembled->find(Facts.Name);
    if (Found == Assembled->end())
      continue;
    Facts.Resources = Found->second.Resources;
    Facts.StaticSharedBytes = Found->second.SharedBytes;
  }
}
