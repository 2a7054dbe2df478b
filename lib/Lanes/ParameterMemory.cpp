//===- ParameterMemory.cpp - Arrays behind the parameters of a kernel -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/ParameterMemory.h"
#include "Slice.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

ParameterMemory gpuocc::findParameterMemory(const KernelFacts &Facts) {
  ParameterMemory Memory;
  std::vector<std::optional<uint64_t>> Arrays;
  for (const MemoryAccess &A : Facts.Accesses) {
    Arrays.push_back(arrayOfAccess(Facts, A));
    if (!isInArrays(A.Space) || A.Kind == AccessKind::Load)
      continue;
    if (Arrays.back())
      Memory.Written.insert(*Arrays.back());
    else
      Memory.WritesElsewhere = true;
  }
  // What would be decided if all arrays were known: loaded values that only go
  // with others into a condition are asked for too.
  const RecordedArrays AllKnown(Facts, [](uint64_t) { return true; });
  for (const SliceOp &Op : sliceKernel(Facts, AllKnown).Ops)
    if (Op.IsRecorded && !(Op.IsPointerRoot && Op.Bits == 64))
      Memory.Deciding.insert(*Arrays[Facts.Operations[Op.Op].Access]);
  return Memory;
}
