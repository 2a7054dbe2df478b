//===- LaunchClaim.h - What one source says about a launch -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CONFIG_LAUNCHCLAIM_H
#define GPUOCC_LIB_CONFIG_LAUNCHCLAIM_H

#include "gpuocc/Config/LaunchSpec.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

struct KernelFacts;

/// What one source, an option, a file or host code, says about a launch of one
/// kernel.
struct LaunchClaim {
  explicit LaunchClaim(LaunchOrigin Source);

  LaunchOrigin Source;
  /// What it says, all from Source; the rest is as in undescribedLaunch().
  /// Notes: what it says in a form that has no value.
  Launch Said;
  /// Host variables that are no parameters, by name.
  HostVariables Variables;
};

/// A launch of which nobody said anything: block and dynamic shared memory are
/// GivenBy::Nobody, the extents of the cluster are 0.
Launch undescribedLaunch();

/// Puts what \p C says into \p L, in place of what is there.
void apply(const LaunchClaim &C, Launch &L);

/// What \p Spec claims of \p Facts. Arguments may be named by the parameters
/// or by the variables in \p Launches. \p Notes takes what cannot be used.
///
/// Fails when \p Spec contradicts the kernel.
llvm::Expected<LaunchClaim>
claimOfSpec(const LaunchSpec &Spec, const KernelFacts &Facts,
            llvm::ArrayRef<const HostLaunch *> Launches,
            std::vector<std::string> &Notes);

/// What \p Host claims of \p Facts where \p Above, a source that has
/// precedence, is right; null when there is none.
LaunchClaim claimOfHost(const HostLaunch &Host, const KernelFacts &Facts,
                        const LaunchClaim *Above);

/// Fails when blocks of \p Block threads contradict what \p Facts promise.
llvm::Error checkBlock(const Dim3 &Block, const KernelFacts &Facts,
                       llvm::StringRef Source);

/// True unless grid, block or dynamic shared memory are said by both and
/// differ.
bool agree(const LaunchClaim &A, const LaunchClaim &B);

} // namespace gpuocc

#endif // GPUOCC_LIB_CONFIG_LAUNCHCLAIM_H
