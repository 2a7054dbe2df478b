//===- TensorBoxes.cpp - Bytes of tiles from tensor maps ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/TensorBoxes.h"
#include "ParameterBytes.h"
#include "gpuocc/Kernel/RecordedTensorMap.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Bits of an element of each CUtensorMapDataType, in the order of cuda.h.
static constexpr uint8_t ElementBits[] = {8,  16, 32, 32, 64, 64, 16, 32,
                                          64, 16, 32, 32, 32, 4,  4,  6};

/// Bytes of the box of \p Map; 0 where it has none.
static unsigned boxBytes(const RecordedTensorMap &Map) {
  if (Map.IsIm2col || Map.Rank == 0 || Map.Rank > std::size(Map.Box) ||
      Map.DataType >= std::size(ElementBits))
    return 0;
  uint64_t Elements = 1;
  for (unsigned I = 0; I != Map.Rank; ++I)
    Elements *=
        divideCeil(Map.Box[I], std::max<unsigned>(1, Map.ElementStrides[I]));
  return unsigned(Elements * ElementBits[Map.DataType] / 8);
}

void gpuocc::takeTensorBoxes(const Launch &L, KernelFacts &Facts) {
  if (L.StructBytes.empty())
    return;
  for (MemoryAccess &A : Facts.Accesses) {
    if (!A.Bulk || A.Rank == 0 || A.Op >= Facts.Operations.size())
      continue;
    for (const Operand &O : Facts.Operations[A.Op].Operands) {
      const std::optional<uint64_t> At = parameterByte(Facts, O);
      const std::optional<RecordedTensorMap> Map =
          At ? recordedMapAt(Facts, L, *At) : std::nullopt;
      const unsigned Bytes = Map ? boxBytes(*Map) : 0;
      if (Bytes == 0)
        continue;
      A.BytesPerLane = Bytes;
      A.WidthAssumed = false;
      break;
    }
  }
}
