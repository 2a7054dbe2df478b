//===- LaunchesPlugin.h - What the launch plugin hands over ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHESPLUGIN_LAUNCHESPLUGIN_H
#define GPUOCC_TOOLS_LAUNCHESPLUGIN_LAUNCHESPLUGIN_H

/// The launches in the translation unit that is being compiled, as
/// hostLaunchesText() writes them. The two plugins share no C++ object, only
/// this text, so that each can be built and loaded alone.
extern "C" const char *gpuoccHostLaunches();

#endif // GPUOCC_TOOLS_LAUNCHESPLUGIN_LAUNCHESPLUGIN_H
