//===- Geometry.cpp - What lane evaluation needs of a device --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/FallbackNumber.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

namespace {

/// Reads the numbers of a device as sizes and counts: at least 1.
class GeometryNumbers {
public:
  explicit GeometryNumbers(const DeviceModel &Device)
      : Device(Device), Limits(archLimitsOrNone(Device.Architecture)) {}

  uint64_t getOr(Quantity Q, double Otherwise) const {
    const Known<double> Value = Device.get(Q);
    return std::llround(Value && *Value >= 1 ? *Value : Otherwise);
  }
  unsigned getOrFallback(Quantity Q) const {
    return unsigned(getOr(Q, fallbackNumber(Q)->Value));
  }
  unsigned getOrDefault(Quantity Q) const {
    return unsigned(getOr(Q, defaultNumber(Q)));
  }
  unsigned getOrFallback(std::optional<unsigned> ArchLimits::*Limit) const {
    return std::max(
        1u, (Limits.*Limit).value_or(unsigned(fallbackNumber(Limit)->Value)));
  }

private:
  const DeviceModel &Device;
  const ArchLimits &Limits;
};

} // namespace

MemoryGeometry gpuocc::geometryOf(const DeviceModel &Device,
                                  unsigned BlocksPerSm) {
  constexpr double NotKnown = 0;
  const GeometryNumbers N(Device);
  MemoryGeometry G;
  G.SectorBytes = N.getOrFallback(Quantity::L1SectorBytes);
  G.LineBytes = N.getOrDefault(Quantity::L1LineBytes);
  G.SharedBanks = N.getOrFallback(&ArchLimits::SharedBanks);
  G.SharedBankBytes = N.getOrFallback(&ArchLimits::SharedBankBytes);
  G.TagLinesPerCycle = N.getOrFallback(Quantity::L1TagLinesPerCycle);
  G.TagBankMasks = {N.getOr(Quantity::L1TagBankLowMask, NotKnown),
                    N.getOr(Quantity::L1TagBankHighMask, NotKnown)};
  G.L1Bytes = N.getOr(Quantity::L1SharedBytesPerSm, NotKnown);
  G.L2Bytes = N.getOr(Quantity::L2Bytes, NotKnown);
  G.DramFetchBytes = N.getOrFallback(Quantity::DramFetchBytes);
  G.L2Partitions = N.getOrDefault(Quantity::L2Partitions);
  G.SmCount = N.getOrFallback(Quantity::SmCount);
  G.ResidentBlocksPerSm = std::max(1u, BlocksPerSm);
  return G;
}
