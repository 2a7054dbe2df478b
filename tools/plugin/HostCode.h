//===- HostCode.h - Launches in the host code being compiled ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_HOSTCODE_H
#define GPUOCC_TOOLS_PLUGIN_HOSTCODE_H

#include "gpuocc/Kernel/HostLaunch.h"
#include <vector>

namespace gpuocc {

/// Loads GpuOccupancyLaunches.so, beside this plugin, into a compiler that
/// parses sources, early enough for it to see them. Does nothing elsewhere, as
/// in opt, or when there is no such file.
void loadLaunchesPlugin();

/// What that plugin has read; empty when it is not loaded.
llvm::Expected<std::vector<HostLaunch>> launchesInHostCode();

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_HOSTCODE_H
