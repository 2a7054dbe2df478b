//===- GoesOn.h - Failures do not end a program -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before all else in host code that is run for its launches. Programs
// compare what kernels left with what they computed themselves and call exit
// where it differs; no kernel ran, and other launches may follow.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LAUNCH_RECORDER_GOESON_H
#define GPUOCC_LAUNCH_RECORDER_GOESON_H

#ifdef __cplusplus
#include <cstdlib>
extern "C" void gpuoccExit(int Status);
namespace std {
using ::gpuoccExit;
}
#else
#include <stdlib.h>
void gpuoccExit(int Status);
#endif

#define exit(Status) gpuoccExit(Status)

#endif // GPUOCC_LAUNCH_RECORDER_GOESON_H
