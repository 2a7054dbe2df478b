//===- RecordedTensorMap.h - Tensor maps of the recorder --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_RECORDEDTENSORMAP_H
#define GPUOCC_KERNEL_RECORDEDTENSORMAP_H

#include <cstdint>
#include <type_traits>

namespace gpuocc {

/// What the recorder writes into the 128 bytes of a CUtensorMap, whose own form
/// NVIDIA does not publish. Structures that are passed by value hold it, as the
/// launch gives their bytes. Extents that a tensor lacks are 0.
struct RecordedTensorMap {
  static constexpr uint64_t Sign = 0x4d54636f75706721; // "!gpuocTM"

  uint64_t Mark = Sign;
  uint64_t Address = 0;
  /// Elements along each dimension, the innermost first.
  uint32_t Extents[5] = {};
  /// Elements along each dimension of the box that a copy moves.
  uint16_t Box[5] = {};
  uint8_t ElementStrides[5] = {};
  uint8_t Rank = 0;
  /// No byte is left to chance: launches of the same bytes are one.
  uint8_t Padding[4] = {};
  /// Bytes from one element to the next along the second dimension and on.
  uint64_t Strides[4] = {};
  /// CUtensorMapDataType, ...Interleave, ...Swizzle, ...L2promotion, and
  /// ...FloatOOBfill.
  uint8_t DataType = 0, Interleave = 0, Swizzle = 0, Promotion = 0, Fill = 0;
  /// Made by cuTensorMapEncodeIm2col.
  uint8_t IsIm2col = 0;
  uint8_t Unused[34] = {};
};
static_assert(sizeof(RecordedTensorMap) == 128);
static_assert(std::has_unique_object_representations_v<RecordedTensorMap>);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_RECORDEDTENSORMAP_H
