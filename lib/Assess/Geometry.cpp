//===- Geometry.cpp - What lane evaluation needs of a device --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

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
  G.LineBytes = N.getOrFallback(Quantity::L1LineBytes);
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

std::vector<std::string> gpuocc::borrowedForGeometry(const DeviceModel &Device,
                                                     const KernelFacts &Facts) {
  const bool AsksArrays = any_of(Facts.Accesses, [](const MemoryAccess &A) {
    return isInArrays(A.Space);
  });
  const bool AsksBanks =
      AsksArrays || any_of(Facts.Accesses, [](const MemoryAccess &A) {
        return A.Space == MemorySpace::Shared;
      });
  std::vector<std::string> Borrowed;
  if (AsksArrays)
    for (Quantity Q : {Quantity::DramFetchBytes, Quantity::L1LineBytes,
                       Quantity::L1SectorBytes, Quantity::L1TagLinesPerCycle})
      if (!Device.find(Q))
        Borrowed.push_back(
            borrowedNumber(quantityInfo(Q).Key, fallbackNumber(Q)->Origin));
  if (AsksBanks)
    for (const ArchLimitInfo &Row : archLimitTable())
      if (const FallbackNumber *Taken = fallbackNumber(Row.Member);
          Taken && !(archLimitsOrNone(Device.Architecture).*Row.Member))
        Borrowed.push_back(borrowedNumber(Row.Key, Taken->Origin));
  return Borrowed;
}
