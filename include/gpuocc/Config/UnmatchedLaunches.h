//===- UnmatchedLaunches.h - Launches of no kernel -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_UNMATCHEDLAUNCHES_H
#define GPUOCC_CONFIG_UNMATCHEDLAUNCHES_H

#include "gpuocc/Config/Config.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include <map>

namespace gpuocc {

/// Finds misspelt kernels in configurations. One configuration often speaks of
/// the kernels of many sources, so that a launch of another kernel is no
/// mistake; one that matches no kernel and is almost spelt as one is.
class UnmatchedLaunches {
public:
  /// Takes up \p Kernels, those of one source that \p File is for.
  void add(const Config &File, llvm::ArrayRef<KernelFacts> Kernels);

  /// A line for each launch that matched no kernel of any source and whose name
  /// is near to one.
  std::vector<std::string> notes() const;

private:
  struct Entry {
    /// Where it was said: ".gpu-occupancy:4".
    std::string Source;
    std::string Kernel;
    bool Matched = false;
    /// Base names of the kernels that were there.
    std::vector<std::string> Others;
  };
  /// By file, place in it, and kernel.
  std::map<std::string, Entry> Entries;
};

} // namespace gpuocc

#endif // GPUOCC_CONFIG_UNMATCHEDLAUNCHES_H
