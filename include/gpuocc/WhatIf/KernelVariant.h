//===- KernelVariant.h - A kernel after a change of its source --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_KERNELVARIANT_H
#define GPUOCC_WHATIF_KERNELVARIANT_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Facts, profile and launch that belong together: what a change of the source
/// or of the launch makes of a kernel. The profile is parallel to the facts.
struct KernelVariant {
  KernelFacts Facts;
  ExecutionProfile Profile;
  Launch Launched;
};

} // namespace gpuocc

#endif // GPUOCC_WHATIF_KERNELVARIANT_H
