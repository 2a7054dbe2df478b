//===- TextureObject.h - What a texture or surface shows --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_EXECUTE_TEXTUREOBJECT_H
#define GPUOCC_EXECUTE_TEXTUREOBJECT_H

#include <cstdint>

namespace gpuocc {

/// What the number of a texture or surface object points to. The runtime that
/// programs are linked with makes it, which has no LLVM.
struct TextureObject {
  char *Data = nullptr;
  /// In elements; 1 where an extent is missing. Layers are the depth.
  uint64_t Width = 1, Height = 1, Depth = 1;
  uint64_t RowBytes = 0;
  /// Bits of each channel, as cudaChannelFormatDesc has them.
  int ChannelBits[4] = {};
  /// cudaChannelFormatKind: 0 signed, 1 unsigned, 2 floating-point.
  int ChannelKind = 0;
  /// cudaTextureAddressMode: 0 wrap, 1 clamp, 2 mirror, 3 border.
  int AddressMode[3] = {1, 1, 1};
  bool IsLinear = false;
  /// Whole numbers are read as numbers from 0 or -1 to 1.
  bool ReadsNormalized = false;
  bool HasNormalizedCoordinates = false;
  float Border[4] = {};

  uint64_t elementBytes() const {
    return uint64_t(ChannelBits[0] + ChannelBits[1] + ChannelBits[2] +
                    ChannelBits[3]) /
           8;
  }
};

} // namespace gpuocc

#endif // GPUOCC_EXECUTE_TEXTUREOBJECT_H
