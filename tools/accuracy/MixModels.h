//===- MixModels.h - Our model and the published ones on one mix *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_MIXMODELS_H
#define GPUOCC_TOOLS_ACCURACY_MIXMODELS_H

#include "MixGrid.h"
#include "baselines/Huang.h"
#include "baselines/Volkov.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/Mechanism.h"

namespace gpuocc {

/// One mix on one device, ready to be asked for throughput at any occupancy.
struct MixCase {
  MixSpec Spec;
  /// As the published models see it.
  AlphaMix Closed;
  /// The same with the bandwidth of the pins, which some of them take.
  AlphaMix ClosedWithPins;
  volkov::Contention Memory;
  huang::Bandwidth Pins;
  double Schedulers = 4;
  /// As our model sees it.
  Prediction Ours;
  double GroupsPerWarp = 0;
  /// Where microbenchmarks are an input (Zhang and Owens): the grid.
  const MixGrid *Measured = nullptr;
};

llvm::Expected<MixCase> mixCase(const MixSpec &Spec, const DeviceModel &Device,
                                const MixGrid &Measured,
                                const Mechanisms &Used = {});

/// A model in the comparison.
struct MixModel {
  llvm::StringLiteral Name;
  /// Groups per cycle and SM with \p Warps resident. The published models know
  /// no chains: for them a warp with several is so many warps, which Volkov
  /// 2016, section 6.3, finds to be alike.
  double (*Throughput)(const MixCase &Case, double Warps);
};

/// Ours first.
llvm::ArrayRef<MixModel> mixModels();

/// Highest throughput that the device allows the mix, groups per cycle and SM.
double mixBound(const MixCase &Case);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_MIXMODELS_H
