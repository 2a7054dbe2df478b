//===- Registers.cpp - Ask the assembler where there is one ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registers.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Ptxas.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::choosePtxas(StringRef Choice) {
  if (Choice == "off")
    return "";
  if (Choice == "auto")
    return findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).Ptxas;
  return Choice.str();
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
