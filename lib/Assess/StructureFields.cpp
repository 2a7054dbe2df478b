//===- StructureFields.cpp - Fields of an array of structures -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructureFields.h"
#include "gpuocc/Kernel/KernelName.h"
#include <cstdlib>
#include <map>

using namespace gpuocc;
using namespace llvm;

/// Lanes further apart lie in rows, whose order is the matter.
static constexpr uint64_t LargestStructure = 256;

/// One load or store of a lane moves so much at most.
static constexpr uint64_t VectorBytes = 16;

/// Bytes of each structure that the members of \p Group touch.
static uint64_t usedBytes(const Case &C, const AccessGroup &Group,
                          uint64_t Bytes) {
  std::map<uint64_t, uint64_t> Widths;
  for (uint32_t I : Group.Members) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    const int64_t Rest = A.OffsetBytes % int64_t(Bytes);
    uint64_t &Width = Widths[uint64_t(Rest < 0 ? Rest + int64_t(Bytes) : Rest)];
    Width = std::max<uint64_t>(Width, A.BytesPerLane);
  }
  uint64_t Sum = 0;
  for (const auto &[Offset, Width] : Widths)
    Sum += Width;
  return Sum;
}

std::optional<StructureFields>
gpuocc::structureFields(const Case &C, const AccessGroup &Group) {
  const uint32_t First = Group.Members.front();
  const AccessProfile &A = C.Profile.Accesses[First];
  if (Group.Arrays > 1 || !A.LaneStrideBytes)
    return std::nullopt;
  const uint64_t Bytes = uint64_t(std::abs(*A.LaneStrideBytes));
  const auto Types = parameterTypes(C.Facts.Demangled);
  const uint32_t Parameter = parameterOfAccess(C.Facts, First);
  if (Bytes <= C.Facts.Accesses[First].BytesPerLane ||
      Bytes > LargestStructure || Parameter >= Types.size() ||
      Types.size() != C.Facts.Parameters.size() ||
      !pointsToStructure(Types[Parameter]))
    return std::nullopt;
  return StructureFields{Bytes, Bytes % VectorBytes == 0 &&
                                    2 * usedBytes(C, Group, Bytes) >= Bytes};
}
