//===- UnitGroups.h - Arithmetic units of an SM, by class ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_DEVICE_UNITGROUPS_H
#define GPUOCC_LIB_DEVICE_UNITGROUPS_H

#include "gpuocc/Device/ArchLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// What the units of two architectures say about the throughput of a class.
struct UnitRatio {
  /// Throughput over that of the relative.
  double Factor = 1;
  /// Warp instructions per cycle and SM, where the units say them better than
  /// the relative does.
  std::optional<double> PerCycleSm;
  /// For the source of a derived number.
  std::string How;
};

/// \p Arch is the device's, \p RelativeArch that of what it is derived from.
UnitRatio unitRatio(InstClass Class, const ArchLimits &Arch,
                    const ArchLimits &RelativeArch);

/// True when \p Arch has no instruction of \p Class.
bool lacksClass(InstClass Class, const ArchLimits &Arch);

/// The words that `units` of architectures.json may hold.
llvm::ArrayRef<llvm::StringLiteral> unitGroupKeys();

} // namespace gpuocc

#endif // GPUOCC_LIB_DEVICE_UNITGROUPS_H
