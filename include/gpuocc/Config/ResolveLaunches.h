//===- ResolveLaunches.h - The launches of a kernel -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_RESOLVELAUNCHES_H
#define GPUOCC_CONFIG_RESOLVELAUNCHES_H

#include "gpuocc/Config/Config.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include <vector>

namespace gpuocc {

struct KernelFacts;

/// The launches to assess, and what was said about them that could not be used.
struct ResolvedLaunches {
  /// At least one.
  std::vector<Launch> Launches;
  /// For instance arguments by name where the module has no names.
  std::vector<std::string> Notes;
};

/// The launches of \p Facts, each different one once.
///
/// What a user describes, in \p Options or otherwise in \p File, is laid over
/// each of \p HostLaunches that agrees with it in grid, block and shared
/// memory, or over all when none agrees. Without a user's word the launches of
/// host code count as they are; without host code one launch is known by its
/// block only. A block that is not given is, in this order, the one the kernel
/// requires, default_block of \p File, the launch bound, or 256 threads (from
/// GivenBy::Nobody). Where several sources contradict each other, or host code
/// says something that has no value, Launch::Notes tells.
///
/// Fails when what a user said contradicts the kernel: an argument it does not
/// have, a block larger than its launch bound or unlike the one it requires.
llvm::Expected<ResolvedLaunches>
resolveLaunches(const KernelFacts &Facts, const Config &File,
                llvm::ArrayRef<LaunchSpec> Options,
                llvm::ArrayRef<HostLaunch> HostLaunches = {});

/// True when \p Spec speaks of \p Facts.
bool matchesKernel(const LaunchSpec &Spec, const KernelFacts &Facts);

/// An error for the first of \p Options that names none of \p Kernels, with the
/// nearest name; success when there is none.
llvm::Error checkKernelsExist(llvm::ArrayRef<LaunchSpec> Options,
                              llvm::ArrayRef<KernelFacts> Kernels);

} // namespace gpuocc

#endif // GPUOCC_CONFIG_RESOLVELAUNCHES_H
