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

void gpuocc::writeBytes(raw_ostream &OS, const KernelFacts &Facts) {
  writeFieldBytes(OS, Facts);
}

Expected<KernelFacts> gpuocc::readKernelFacts(StringRef &Bytes) {
  KernelFacts Facts;
  if (!readFieldBytes(Bytes, Facts))
    return createStringError("the facts of a kernel are cut off or damaged");
  if (Error E = verifyFacts(Facts))
    return std::move(E);
  return Facts;
}
