//===- ConstantMisses.cpp - Tables that a constant cache lacks ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/ConstantMisses.h"
#include "gpuocc/Device/FlatDevice.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpuocc;

/// Of the first constant cache. Dependent loads 64 bytes apart miss each time
/// (constant_sizes of an H100 and an H200: as long at 64 KiB as at 2.5 KiB), so
/// lines are no longer than that.
static constexpr double LineBytes = 64;

/// Lines of a table of \p Words, \p Lines long, on which \p Distinct of them
/// lie, each as likely as the others.
static double linesOf(double Distinct, double Words, double Lines) {
  const double Share = std::clamp(Distinct / Words, 0.0, 1.0);
  return Lines * (1 - std::pow(1 - Share, Words / Lines));
}

ConstantMisses gpuocc::constantMisses(const MemoryAccess &A,
                                      const AccessProfile &P,
                                      const FlatDevice &Device) {
  const std::optional<double> Bytes = Device.get(Quantity::ConstantL1Bytes);
  const std::optional<double> Fetch = Device.get(Quantity::InstructionFetch);
  const std::optional<double> CodeLine =
      Device.get(Quantity::InstructionLineBytes);
  if (A.Space != MemorySpace::Constant || !P.DrawnAddresses || !Bytes ||
      !Fetch || !CodeLine)
    return {};
  const double Words = *P.DrawnAddresses;
  const double TableBytes = Words * A.BytesPerLane;
  if (TableBytes <= *Bytes)
    return {};
  const double Lines =
      linesOf(P.DistinctAddressesPerRequest, Words, TableBytes / LineBytes);
  return {Lines * (1 - *Bytes / TableBytes), *Fetch * LineBytes / *CodeLine};
}
