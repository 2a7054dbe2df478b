//===- ExecuteInterface.h - What programs call to run kernels ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The face of the library that runs kernels (GpuOccupancyExecute.so). The
/// runtime that programs are linked with (tools/launch-recorder) opens it; it
/// has no LLVM, so that the face is C's.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_EXECUTE_EXECUTEINTERFACE_H
#define GPUOCC_TOOLS_EXECUTE_EXECUTEINTERFACE_H

#include <cstddef>

extern "C" {

/// A launch that is to run.
struct GpuoccLaunch {
  unsigned Grid[3], Block[3];
  /// Blocks of a cluster; zeros where the launch asks for none.
  unsigned Cluster[3];
  size_t SharedBytes;
  /// Not 0: blocks may wait for the whole grid.
  int IsCooperative;
  void **Arguments;
  /// Set where it ran: what beside its plain stores shows that (RunEffects).
  int Effects;
  /// Where what threads of sampled blocks read goes; null: nowhere.
  const char *SeenFile;
  /// Where the turns of its loops go; null: nowhere.
  const char *TurnsFile;
};

/// Adds a module in bitcode, and the same in the code that is priced, of no
/// bytes where there is none; its number, or -1 after \p Why was written.
using GpuoccAddModule = int(const char *Bitcode, size_t Bytes,
                            const char *Priced, size_t PricedBytes, char *Why,
                            size_t WhyBytes);
/// The variable \p Name lies at \p Address.
using GpuoccBindVariable = void(int Module, const char *Name, void *Address,
                                size_t Bytes);
/// Writes the initial values of variables; 0, or 1 after \p Why was written.
using GpuoccLoadModule = int(int Module, char *Why, size_t WhyBytes);
/// Runs a kernel; 0, with what a user should know in \p Why or nothing there,
/// or after \p Why was written 1 where it cannot run, else the error that CUDA
/// gives (cudaErrorIllegalAddress, cudaErrorAssert, cudaErrorLaunchFailure).
using GpuoccRunKernel = int(int Module, const char *Name, GpuoccLaunch *Launch,
                            char *Why, size_t WhyBytes);

/// What the library exports as gpuoccExecuteFunctions.
struct GpuoccExecuteFunctions {
  GpuoccAddModule *AddModule;
  GpuoccBindVariable *BindVariable;
  GpuoccLoadModule *LoadModule;
  GpuoccRunKernel *RunKernel;
};

/// What device code begins with that a program carries: these bytes, then two
/// modules, each the number of its bytes, in 8 bytes, lowest first, and
/// bitcode: the one that runs, and the same in the code that is priced, or no
/// bytes.
#define GPUOCC_DEVICE_CODE_MARK "GPUOCCBC"

} // extern "C"

#endif // GPUOCC_TOOLS_EXECUTE_EXECUTEINTERFACE_H
