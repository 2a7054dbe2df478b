//===- DeviceArray.h - CUDA arrays -----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEARRAY_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEARRAY_H

#include <cstddef>

namespace gpuocc::recorder {

/// cudaChannelFormatDesc: bits of each channel.
struct ChannelFormat {
  int X = 0, Y = 0, Z = 0, W = 0, Kind = 0;
};

/// cudaExtent.
struct Size3D {
  size_t Width, Height, Depth;
};

/// What cudaMallocArray made: rows of elements one behind the other.
struct DeviceArray {
  ChannelFormat Format;
  /// In elements; extents that the array lacks are 0.
  Size3D Size = {0, 0, 0};
  size_t ElementBytes = 1;

  size_t rowBytes() const { return Size.Width * ElementBytes; }
};

/// Sets \p Array to the array of \p Handle; false where there is none.
bool findArray(const void *Handle, DeviceArray &Array);

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEARRAY_H
