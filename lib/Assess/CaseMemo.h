//===- CaseMemo.h - What several rules ask of one case ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_CASEMEMO_H
#define GPUOCC_LIB_ASSESS_CASEMEMO_H

#include "OtherBlocks.h"
#include <array>
#include <map>
#include <optional>

namespace gpuocc {

/// Answers that take long and that several rules, or several prices of a rule,
/// ask for.
struct CaseMemo {
  /// Block and grid.
  using Extents = std::array<uint64_t, 6>;

  std::map<Extents, std::optional<OtherBlocks>> Launches;
  /// How much faster the launch as it is comes out at the first look that other
  /// blocks get.
  std::optional<double> OwnTrialGain;
  /// The estimate of the registers of the code as it is.
  std::optional<unsigned> EstimatedRegisters;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_CASEMEMO_H
