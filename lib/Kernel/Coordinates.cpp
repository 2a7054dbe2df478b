//===- Coordinates.cpp - Places that coordinates choose -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Coordinates.h"
#include <cassert>

using namespace gpuocc;
using namespace llvm;

static constexpr CoordinatePiece Line[] = {{0, 0, 40, 0}};
static constexpr CoordinatePiece Tensor2d[] = {{0, 0, 20, 0}, {1, 0, 20, 20}};
static constexpr CoordinatePiece Tensor3d[] = {
    {0, 0, 14, 0}, {1, 0, 14, 14}, {2, 0, 12, 28}};
static constexpr CoordinatePiece Tensor4d[] = {
    {0, 0, 10, 0}, {1, 0, 10, 10}, {2, 0, 10, 20}, {3, 0, 10, 30}};
static constexpr CoordinatePiece Tensor5d[] = {
    {0, 0, 8, 0}, {1, 0, 8, 8}, {2, 0, 8, 16}, {3, 0, 8, 24}, {4, 0, 8, 32}};

static constexpr CoordinatePiece Texture2d[] = {
    {0, 0, 4, 0}, {1, 0, 1, 4},  {0, 4, 1, 5},  {1, 1, 2, 6},
    {0, 5, 1, 8}, {0, 6, 14, 9}, {1, 3, 17, 23}};
static constexpr CoordinatePiece Texture3d[] = {
    {0, 0, 4, 0}, {1, 0, 1, 4},  {0, 4, 1, 5},  {1, 1, 2, 6},
    {0, 5, 1, 8}, {0, 6, 10, 9}, {1, 3, 9, 19}, {2, 0, 12, 28}};

ArrayRef<CoordinatePiece> gpuocc::tensorPieces(unsigned Rank) {
  switch (Rank) {
  case 1:
    return Line;
  case 2:
    return Tensor2d;
  case 3:
    return Tensor3d;
  case 4:
    return Tensor4d;
  default:
    assert(Rank == MostDimensions && "no tensor map has that many dimensions");
    return Tensor5d;
  }
}

ArrayRef<CoordinatePiece> gpuocc::texturePieces(unsigned Rank) {
  switch (Rank) {
  case 1:
    return Line;
  case 2:
    return Texture2d;
  default:
    assert(Rank == 3 && "no texture has that many dimensions");
    return Texture3d;
  }
}

uint64_t gpuocc::coordinateOf(uint64_t Place, ArrayRef<CoordinatePiece> Pieces,
                              unsigned Dimension) {
  uint64_t Coordinate = 0;
  for (const CoordinatePiece &P : Pieces)
    if (P.Dimension == Dimension)
      Coordinate |= (Place >> P.To & ((uint64_t(1) << P.Bits) - 1)) << P.From;
  return Coordinate;
}
