//===- Bulk.h - Microkernels of bulk copies --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies from global to shared memory by the tensor memory accelerator (TMA):
/// bytes in a row, and tiles of tensors that a map describes, to one block or
/// to all of a cluster; copies and sums of bytes in a row to global memory.
/// Compute capability 9.0 and later.
///
/// In all kernels one thread of a block works: x = buffer, y = bytes from one
/// copy to the next, z = bytes of the buffer - 1; block b begins at b * y, then
/// steps by y times the number of blocks (of clusters, for multicast). Modules
/// with tiles of tensors have the variable TensorMapVariable, of
/// TensorMapBytes, for the map of the buffer.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_BULK_H
#define GPUOCC_CALIBRATION_KERNELS_BULK_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// What one copy brings.
struct BulkTile {
  unsigned Bytes;
  /// Dimensions of the tensor; 0: bytes in a row, without a map.
  unsigned Rank = 0;
  /// For rank 2: rows of the tile are WidePitchBytes apart in memory; else one
  /// follows the other.
  bool Wide = false;
};

/// Elements of tensors are 32-bit words, the innermost dimension of tiles of
/// rank 2 and more is 64 of them. Dimensions between it and the outermost
/// are 1.
inline constexpr unsigned TensorElementBytes = 4, TileRowBytes = 256,
                          WidePitchBytes = 16384;

inline constexpr const char *TensorMapVariable = "tensor_map";
inline constexpr unsigned TensorMapBytes = 128;

/// "bytes1024", "tensor2d4096", "tensor2dwide4096".
std::string tileName(const BulkTile &Tile);

/// One copy a loop iteration, waited for before the next.
TimedKernel bulkCopy(const BulkTile &Tile);

/// \p Stages copies in flight.
TimedKernel bulkStream(const BulkTile &Tile, unsigned Stages);

/// \p Stages copies of \p Bytes back to global memory in flight, which add
/// words to what is there where \p Reduces.
TimedKernel bulkWrites(unsigned Bytes, unsigned Stages, bool Reduces);

/// One copy a loop iteration by the first block of a cluster of \p Blocks to
/// all of them, then a barrier of the cluster.
TimedKernel multicastCopy(const BulkTile &Tile, unsigned Blocks);

/// Each block of a cluster of \p Blocks copies \p Tile to all of them, so that
/// each gets \p Blocks tiles a stage; two halves of \p Stages stages in turn,
/// with a barrier of the cluster before a half is filled again.
TimedKernel multicastStream(const BulkTile &Tile, unsigned Blocks,
                            unsigned Stages);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_BULK_H
