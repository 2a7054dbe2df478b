//===- Copy3D.h - A copy of a box of memory ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_COPY3D_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_COPY3D_H

#include "DeviceArray.h"

namespace gpuocc::recorder {

/// cudaPos and cudaPitchedPtr.
struct Position {
  size_t X, Y, Z;
};
struct PitchedPointer {
  void *Pointer;
  size_t Pitch, Width, Height;
};
/// The start of cudaMemcpy3DParms.
struct Copy3D {
  void *FromArray;
  Position FromPosition;
  PitchedPointer From;
  void *ToArray;
  Position ToPosition;
  PitchedPointer To;
  Size3D Size;
};

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_COPY3D_H
