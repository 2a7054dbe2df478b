//===- ParameterMemory.h - Arrays behind parameters -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LANES_PARAMETERMEMORY_H
#define GPUOCC_LANES_PARAMETERMEMORY_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <set>
#include <vector>

namespace gpuocc {

/// Which arrays a kernel reads and writes, by the offset of their address in
/// parameter memory: that of the parameter, and that in a struct.
struct ParameterMemory {
  /// What is read there decides addresses or control flow: whoever knows the
  /// contents knows what the kernel does.
  std::set<uint64_t> Deciding;
  std::set<uint64_t> Written;
  /// Something is stored where no parameter points to directly.
  bool WritesElsewhere = false;
  /// It reads and writes nothing but arrays of its parameters: where these hold
  /// the same, it leaves the same in them.
  bool IsConfined = false;
  /// And it reads none that it writes: behind a launch, another one writes what
  /// they hold already.
  bool IsRepeatable = false;
  /// What it reads where it writes itself, or what atomics return, goes into
  /// addresses or control flow: what memory holds before a launch does not say
  /// what it does.
  bool IsDecidedByOwnWrites = false;
  /// What it reads from variables, or through pointers that it loads, or such a
  /// pointer goes into addresses or control flow: no array of a parameter says
  /// what it does.
  bool IsDecidedElsewhere = false;
};

ParameterMemory findParameterMemory(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LANES_PARAMETERMEMORY_H
