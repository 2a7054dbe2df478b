//===- MixKernel.h - The synthetic mixes of Volkov's thesis -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_MIXKERNEL_H
#define GPUOCC_TOOLS_ACCURACY_MIXKERNEL_H

#include "baselines/AlphaMix.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

struct DeviceModel;

/// What a mix alternates with additions.
enum class MixKind : uint8_t {
  DramLoad,
  RandomLoad,
  Mufu,
  Shared,
  SharedTwoWay,
};

/// A family of mixes and the table of calibration/results that has it measured.
struct MixFamily {
  MixKind Kind;
  /// "alpha-dram": the table's file without ".json".
  llvm::StringLiteral Table;
  llvm::StringLiteral Title;
};

llvm::ArrayRef<MixFamily> mixFamilies();

/// What surrounds the groups of a mix.
enum class MixFrame : uint8_t {
  /// What calibration needs to measure it: a loop counter, and a logic
  /// instruction in the address of a load.
  Measured,
  /// Nothing, as in the formulas of Volkov 2016, section 4.1.
  Bare,
};

/// One mix: groups of a slow instruction and Alpha additions in each of Ilp
/// independent chains, as calibration/plans/Mixes.cpp measures them.
struct MixSpec {
  MixKind Kind = MixKind::DramLoad;
  unsigned Alpha = 0;
  unsigned Ilp = 1;
  MixFrame Frame = MixFrame::Measured;
};

/// The mix as a reader would hand it to the model: a loop over unrolled groups,
/// back-to-back dependent within each chain.
struct MixKernel {
  KernelFacts Facts;
  ExecutionProfile Profile;
  Launch How;
  /// Groups of all chains that one warp executes.
  double GroupsPerWarp = 0;
};

MixKernel mixKernel(const MixSpec &Mix);

/// \p Mix in the closed form of the published models, with numbers of
/// \p Device; an error names the number that the device lacks. Chains are not
/// part of it: a warp with several counts as so many warps (Volkov 2016,
/// section 6.3).
llvm::Expected<AlphaMix> alphaMix(const MixSpec &Mix,
                                  const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_MIXKERNEL_H
