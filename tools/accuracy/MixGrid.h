//===- MixGrid.h - Throughput over intensity and warps ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_MIXGRID_H
#define GPUOCC_TOOLS_ACCURACY_MIXGRID_H

#include "MixKernel.h"
#include <map>
#include <vector>

namespace gpuocc {

/// One measured point of a grid.
struct MixPoint {
  unsigned Ilp = 1;
  unsigned Alpha = 0;
  unsigned Warps = 0;
  /// Groups per cycle and SM.
  double PerCycleSm = 0;
};

/// A grid as calibration writes it.
struct MixGrid {
  MixKind Kind = MixKind::DramLoad;
  std::string Title;
  /// How it was measured, in words.
  std::string Source;
  std::vector<MixPoint> Points;

  /// Highest throughput of any point with \p Alpha; 0 without points.
  double peak(unsigned Alpha) const;
  /// The point measured at these coordinates, or null.
  const MixPoint *find(unsigned Ilp, unsigned Alpha, unsigned Warps) const;
};

/// Reads the table in \p Text, one of calibration/results. Errors name
/// \p FileName and what the table lacks.
llvm::Expected<MixGrid> parseMixGrid(llvm::StringRef Text,
                                     llvm::StringRef FileName,
                                     const MixFamily &Family);

/// The grids in \p Folder, in the order of mixFamilies(); families without a
/// file are left out. An error when there is none at all.
llvm::Expected<std::vector<MixGrid>> readMixGrids(llvm::StringRef Folder);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_MIXGRID_H
