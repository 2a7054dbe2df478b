//===- FollowWarps.h - Warps that run ahead of a launch ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_FOLLOWWARPS_H
#define GPUOCC_LIB_EXECUTE_FOLLOWWARPS_H

#include "GridRun.h"

namespace gpuocc::execute {

/// What is told by all warps of a program that run ahead.
class FollowBudget {
public:
  /// Takes the events of one launch; 0 where too few are left.
  size_t take();

private:
  std::atomic<size_t> Left = size_t(1) << 27;
};

/// May blocks of \p Kernel be run without the others of \p Launch, to the same
/// end?
bool mayRunAhead(const CompiledKernel &Kernel, const ExecuteLaunch &Launch);

/// Runs some blocks of \p Launch as \p Kernel, whose threads tell where they
/// are, in a process of its own, and writes what their warps executed to
/// ExecuteLaunch::FollowedFile, if it has a loop. Nothing of it is seen
/// elsewhere. What goes wrong leaves no file.
void followWarps(const CompiledKernel &Kernel, const ExecuteLaunch &Launch,
                 FollowBudget &Budget);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_FOLLOWWARPS_H
