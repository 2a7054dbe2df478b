//===- Launch.h - A launch that the program asks for ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCH_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCH_H

#include <cstddef>

namespace gpuocc::recorder {

/// The dim3 of CUDA.
struct Extent {
  unsigned X = 1, Y = 1, Z = 1;
};

/// A launch as each of CUDA's entry points asks for it.
struct LaunchRequest {
  /// The kernel's stub in the host code, or a handle of KernelTable.
  const void *Kernel = nullptr;
  Extent Grid, Block;
  /// Blocks of a cluster; zeros where the launch asks for none.
  Extent Cluster = {0, 0, 0};
  size_t SharedBytes = 0;
  void *Stream = nullptr;
  /// Points to each argument.
  void **Arguments = nullptr;
  bool IsCooperative = false;
};

/// Launches \p Request; the error of CUDA's runtime, 0 for success. Every
/// launch of the program comes through here, those of graphs when the graph is
/// launched.
/// One without attributes, as the plain functions of both interfaces ask for.
inline LaunchRequest plainLaunch(const void *Kernel, Extent Grid, Extent Block,
                                 void **Arguments, size_t SharedBytes,
                                 void *Stream = nullptr) {
  LaunchRequest Request;
  Request.Kernel = Kernel;
  Request.Grid = Grid;
  Request.Block = Block;
  Request.SharedBytes = SharedBytes;
  Request.Stream = Stream;
  Request.Arguments = Arguments;
  return Request;
}

int launchKernel(const LaunchRequest &Request);

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCH_H
