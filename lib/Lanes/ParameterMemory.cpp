//===- ParameterMemory.cpp - Arrays behind the parameters of a kernel -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/ParameterMemory.h"
#include "Slice/Slice.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Asynchronous copies read arrays, and write shared memory.
static bool onlyReads(const MemoryAccess &A) {
  return A.Kind == AccessKind::Load || A.Kind == AccessKind::AsyncCopy;
}

/// Sets IsConfined and IsRepeatable of \p Memory by the accesses of \p Facts,
/// whose arrays are \p Arrays.
static void findRepetition(const KernelFacts &Facts,
                           ArrayRef<std::optional<uint64_t>> Arrays,
                           ParameterMemory &Memory) {
  // What is not analyzed may read and write anywhere.
  Memory.IsConfined = Memory.IsRepeatable = Facts.Gaps.empty();
  for (const auto &[A, Array] : zip(Facts.Accesses, Arrays)) {
    if (!isInArrays(A.Space))
      continue;
    Memory.IsConfined &= Array.has_value();
    Memory.IsRepeatable &=
        Array && (onlyReads(A) ? Memory.Written.count(*Array) == 0
                               : A.Kind == AccessKind::Store);
  }
}

ParameterMemory gpuocc::findParameterMemory(const KernelFacts &Facts) {
  ParameterMemory Memory;
  std::vector<std::optional<uint64_t>> Arrays;
  for (const MemoryAccess &A : Facts.Accesses) {
    Arrays.push_back(arrayOfAccess(Facts, A));
    if (!isInArrays(A.Space) || onlyReads(A))
      continue;
    if (Arrays.back())
      Memory.Written.insert(*Arrays.back());
    else
      Memory.WritesElsewhere = true;
  }
  findRepetition(Facts, Arrays, Memory);
  // What would be decided if all arrays were known: loaded values that only go
  // with others into a condition are asked for too.
  const auto Always = [](uint64_t) { return true; };
  RecordedArrays AllKnown(Facts, Always), AllSeen = RecordedArrays::seen(Facts);
  AllKnown.addStructs(Facts, Always);
  AllSeen.addStructs(Facts, Always);
  AllKnown.addTables(Facts);
  for (const SliceOp &Op : sliceKernel(Facts, AllKnown).Ops) {
    const uint32_t Access = Facts.Operations[Op.Op].Access;
    if (Op.IsRecorded && Arrays[Access] && !(Op.IsPointerRoot && Op.Bits == 64))
      Memory.Deciding.insert(*Arrays[Access]);
  }
  for (const SliceOp &Op : sliceKernel(Facts, AllSeen).Ops) {
    const uint32_t Access = Facts.Operations[Op.Op].Access;
    if (!Op.IsRecorded || !isInArrays(Facts.Accesses[Access].Space))
      continue;
    if (!Arrays[Access] || (Op.IsPointerRoot && Op.Bits == 64)) {
      Memory.IsDecidedElsewhere = true;
      continue;
    }
    Memory.IsDecidedByOwnWrites |= isAtomic(Facts.Accesses[Access].Kind) ||
                                   !AllKnown.writesBefore(Access).empty() ||
                                   Memory.Written.count(*Arrays[Access]) != 0;
  }
  return Memory;
}
