//===- LaunchConfig.h - cudaLaunchConfig_t ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches with attributes as CUDA's runtime and driver lay them out, which
/// differ in the head only.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCONFIG_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCONFIG_H

#include "Launch.h"

namespace gpuocc::recorder {

/// cudaLaunchAttribute and CUlaunchAttribute.
struct LaunchAttribute {
  int Id;
  char Padding[8 - sizeof(int)];
  union {
    char Bytes[64];
    Extent Cluster;
    int Number;
  } Value;
};

/// cudaLaunchConfig_t.
struct LaunchConfig {
  Extent Grid, Block;
  size_t SharedBytes;
  void *Stream;
  const LaunchAttribute *Attributes;
  unsigned NumAttributes;
};

/// The cudaLaunchAttributeID that a record depends on.
enum LaunchAttributeId { CooperativeId = 2, ClusterDimensionId = 4 };

/// The cluster that \p Config asks for; zeros where it asks for none.
inline Extent clusterOf(const LaunchConfig &Config) {
  for (unsigned I = 0; I != Config.NumAttributes; ++I)
    if (Config.Attributes[I].Id == ClusterDimensionId)
      return Config.Attributes[I].Value.Cluster;
  return {0, 0, 0};
}

/// \p Config as a launch of \p Kernel with \p Arguments.
inline LaunchRequest requestOf(const LaunchConfig &Config, const void *Kernel,
                               void **Arguments) {
  LaunchRequest Request;
  Request.Kernel = Kernel;
  Request.Grid = Config.Grid;
  Request.Block = Config.Block;
  Request.Cluster = clusterOf(Config);
  Request.SharedBytes = Config.SharedBytes;
  Request.Stream = Config.Stream;
  Request.Arguments = Arguments;
  for (unsigned I = 0; I != Config.NumAttributes; ++I)
    if (Config.Attributes[I].Id == CooperativeId)
      Request.IsCooperative = Config.Attributes[I].Value.Number != 0;
  return Request;
}

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCONFIG_H
