//===- FactsBytes.cpp - Kernel facts to bytes and back --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsFields.h"
#include "gpuocc/Kernel/Bytes.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/ByteFields.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

static void writeBytes(raw_ostream &OS, const SourceLocations &Locations) {
  writeFieldBytes(OS, Locations.all());
}

static bool readBytes(StringRef &In, SourceLocations &Locations) {
  return readFieldBytes(In, Locations.edit());
}

} // namespace gpuocc

void gpuocc::writeBytes(raw_ostream &OS,
                        const std::vector<KernelFacts> &Kernels) {
  writeFieldBytes(OS, Kernels);
}

Expected<std::vector<KernelFacts>> gpuocc::readKernels(StringRef &Bytes) {
  std::vector<KernelFacts> Kernels;
  if (!readFieldBytes(Bytes, Kernels))
    return createStringError("the facts of kernels are cut off or damaged");
  for (const KernelFacts &Facts : Kernels)
    if (Error E = verifyFacts(Facts))
      return std::move(E);
  return Kernels;
}
