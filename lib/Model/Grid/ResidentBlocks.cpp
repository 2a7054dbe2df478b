//===- ResidentBlocks.cpp - Blocks that the chip holds at a time ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/ResidentBlocks.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

double gpuocc::residentBlocks(unsigned ClusterBlocks, unsigned BlocksPerSm,
                              const DeviceModel &Device, Numbers &N) {
  enum Column { Sms, Groups, NumColumns };
  // Two SMs are the least that any group has.
  constexpr unsigned AlwaysFit = 2;
  const double Full = N.smCount() * BlocksPerSm;
  if (ClusterBlocks <= AlwaysFit)
    return Full;
  const DeviceTable *Table = Device.table("sm_groups");
  if (!Table) {
    N.borrow("sm_groups", "clusters fill all SMs");
    return Full;
  }
  double Clusters = 0;
  for (const auto &Row : Table->Rows) {
    if (Row.size() < NumColumns)
      continue;
    auto Cell = [&](Column C) { return Row[C].getAsNumber().value_or(0); };
    if (Cell(Sms) >= ClusterBlocks)
      Clusters +=
          Cell(Groups) * std::floor(Cell(Sms) * BlocksPerSm / ClusterBlocks);
  }
  return Clusters > 0 ? Clusters * ClusterBlocks : Full;
}
