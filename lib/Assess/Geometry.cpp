//===- Geometry.cpp - What lane evaluation needs of a device --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "gpuocc/Device/DeviceModel.h"

using namespace gpuocc;

MemoryGeometry gpuocc::geometryOf(const DeviceModel &Device,
                                  unsigned BlocksPerSm) {
  MemoryGeometry G;
  auto Take = [&](auto &Field, Quantity Q) {
    if (Known<double> Value = Device.get(Q); Value && *Value >= 1)
      Field = std::remove_reference_t<decltype(Field)>(*Value);
  };
  Take(G.SectorBytes, Quantity::L1SectorBytes);
  Take(G.LineBytes, Quantity::L1LineBytes);
  Take(G.L1Bytes, Quantity::L1SharedBytesPerSm);
  Take(G.L2Bytes, Quantity::L2Bytes);
  Take(G.L2Partitions, Quantity::L2Partitions);
  Take(G.TagBankMasks[0], Quantity::L1TagBankLowMask);
  Take(G.TagBankMasks[1], Quantity::L1TagBankHighMask);
  Take(G.SmCount, Quantity::SmCount);
  G.ResidentBlocksPerSm = std::max(1u, BlocksPerSm);
  return G;
}
