//===- LaunchExtents.cpp - Extents that no GPU can launch -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/LaunchExtents.h"
#include "gpuocc/Kernel/Launch.h"

using namespace gpuocc;

namespace {

struct AxisLimit {
  const char *Axis;
  uint64_t Dim3::*Extent;
  uint64_t MaxGrid, MaxBlock;
};

constexpr AxisLimit AxisLimits[] = {
    {"x", &Dim3::X, (uint64_t(1) << 31) - 1, 1024},
    {"y", &Dim3::Y, 65535, 1024},
    {"z", &Dim3::Z, 65535, 64},
};

} // namespace

std::vector<std::string> gpuocc::extentProblems(const Launch &L) {
  std::vector<std::string> Problems;
  auto Check = [&](const char *What, const AxisLimit &Axis, uint64_t Has,
                   uint64_t Allowed) {
    if (Has > Allowed)
      Problems.push_back(std::string(What) + " is " + std::to_string(Has) +
                         " in " + Axis.Axis + ", CUDA allows " +
                         std::to_string(Allowed));
  };
  for (const AxisLimit &Axis : AxisLimits) {
    uint64_t Cluster = L.Cluster.*Axis.Extent;
    Check("block", Axis, L.Block.Value.*Axis.Extent, Axis.MaxBlock);
    if (!L.Grid)
      continue;
    uint64_t Grid = L.Grid->Value.*Axis.Extent;
    Check("grid", Axis, Grid, Axis.MaxGrid);
    if (Cluster != 0 && Grid % Cluster != 0)
      Problems.push_back(
          "grid is " + std::to_string(Grid) + " in " + Axis.Axis +
          ", which is no multiple of the cluster's " + std::to_string(Cluster));
  }
  return Problems;
}
