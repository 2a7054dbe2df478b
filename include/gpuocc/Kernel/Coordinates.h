//===- Coordinates.h - Places that coordinates choose -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tensor map or a texture says where the element of some coordinates lies,
/// and a kernel does not know what it says. In the facts such a place is a
/// number that is made up: bits of the coordinates below bit CoordinateBits,
/// and above them what tells tensors and textures apart. Equal places are equal
/// numbers, and each coordinate can be read back.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_COORDINATES_H
#define GPUOCC_KERNEL_COORDINATES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace gpuocc {

/// As many as an object has for its addresses (ObjectWindowLog2 of
/// gpuocc/Lanes).
constexpr unsigned CoordinateBits = 40;
/// More than a tensor map has.
constexpr unsigned MostDimensions = 5;

/// Bits of one coordinate, and where a place holds them.
struct CoordinatePiece {
  uint8_t Dimension, From, Bits, To;
};

/// The pieces of a place in a tensor of \p Rank dimensions, 1 to
/// MostDimensions: its coordinates side by side.
llvm::ArrayRef<CoordinatePiece> tensorPieces(unsigned Rank);

/// The pieces of a place in a texture of \p Rank dimensions, 1 to 3, whose
/// first coordinate counts bytes: neighbours in two dimensions lie in one line,
/// 64 bytes of 8 rows in 512 that follow each other.
///
/// Source: the block-linear layout of textures, NVIDIA open-gpu-doc,
/// "Tegra X1 technical reference manual", 20.1 (sectors of 16 bytes by 2 rows).
llvm::ArrayRef<CoordinatePiece> texturePieces(unsigned Rank);

/// Coordinate \p Dimension of \p Place.
uint64_t coordinateOf(uint64_t Place, llvm::ArrayRef<CoordinatePiece> Pieces,
                      unsigned Dimension);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_COORDINATES_H
