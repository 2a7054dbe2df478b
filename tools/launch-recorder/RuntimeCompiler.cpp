//===- RuntimeCompiler.cpp - NVRTC is refused -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// NVRTC compiles kernels while a program runs. The recorder has no compiler;
/// the program is told so and the user too.
///
//===----------------------------------------------------------------------===//

#include "LaunchLog.h"
#include <cstddef>

using namespace gpuocc::recorder;

/// NVRTC_ERROR_INTERNAL_ERROR.
static constexpr int InternalError = 11;

static int refuse() {
  launchLog().note("the program compiles kernels with NVRTC, which record "
                   "cannot do; their launches are missing. Record a program "
                   "that nvcc compiles whole");
  return InternalError;
}

extern "C" {

int nvrtcVersion(int *Major, int *Minor) {
  *Major = 13;
  *Minor = 0;
  return 0;
}
int nvrtcCreateProgram(void **Program, const char *, const char *, int,
                       const char *const *, const char *const *) {
  *Program = nullptr;
  return refuse();
}
int nvrtcCompileProgram(void *, int, const char *const *) { return refuse(); }
int nvrtcDestroyProgram(void **) { return 0; }
int nvrtcAddNameExpression(void *, const char *) { return refuse(); }
int nvrtcGetLoweredName(void *, const char *, const char **) {
  return refuse();
}
int nvrtcGetPTXSize(void *, size_t *Size) {
  *Size = 0;
  return refuse();
}
int nvrtcGetPTX(void *, char *) { return refuse(); }
int nvrtcGetCUBINSize(void *, size_t *Size) {
  *Size = 0;
  return refuse();
}
int nvrtcGetCUBIN(void *, char *) { return refuse(); }
int nvrtcGetProgramLogSize(void *, size_t *Size) {
  *Size = 1;
  return 0;
}
int nvrtcGetProgramLog(void *, char *Log) {
  *Log = 0;
  return 0;
}
const char *nvrtcGetErrorString(int) { return "NVRTC is not here"; }

} // extern "C"
