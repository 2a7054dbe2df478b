//===- ResolveLaunches.h - The launches of a kernel ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_RESOLVELAUNCHES_H
#define GPUOCC_CONFIG_RESOLVELAUNCHES_H

#include "gpuocc/Config/Config.h"
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

/// The launches of \p Facts: those of \p Options that name it, otherwise those
/// of \p File, otherwise one of which only the block is known. A block that
/// nobody gave is, in this order, the one the kernel requires, its launch
/// bound, default_block of \p File, or 256 threads (source "default").
///
/// Fails when what was said contradicts the kernel: an argument it does not
/// have, a block larger than its launch bound or unlike the one it requires.
llvm::Expected<ResolvedLaunches>
resolveLaunches(const KernelFacts &Facts, const Config &File,
                llvm::ArrayRef<LaunchSpec> Options);

/// True when \p Spec speaks of \p Facts.
bool matchesKernel(const LaunchSpec &Spec, const KernelFacts &Facts);

/// An error for the first of \p Options that names none of \p Kernels, with the
/// nearest name; success when there is none.
llvm::Error checkKernelsExist(llvm::ArrayRef<LaunchSpec> Options,
                              llvm::ArrayRef<KernelFacts> Kernels);

} // namespace gpuocc

#endif // GPUOCC_CONFIG_RESOLVELAUNCHES_H
