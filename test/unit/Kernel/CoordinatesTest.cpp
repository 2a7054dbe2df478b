//===- CoordinatesTest.cpp - Places that coordinates choose ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Coordinates.h"
#include "gtest/gtest.h"
#include <array>

using namespace gpuocc;
using namespace llvm;

namespace {

uint64_t placeOf(ArrayRef<CoordinatePiece> Pieces, ArrayRef<uint64_t> At) {
  uint64_t Place = 0;
  for (const CoordinatePiece &P : Pieces)
    Place |= (At[P.Dimension] >> P.From & ((uint64_t(1) << P.Bits) - 1))
             << P.To;
  return Place;
}

TEST(Coordinates, PiecesFillAPlaceOnce) {
  for (unsigned Rank = 1; Rank <= MostDimensions; ++Rank)
    for (ArrayRef<CoordinatePiece> Pieces :
         {tensorPieces(Rank), texturePieces(std::min(Rank, 3u))}) {
      uint64_t Used = 0;
      for (const CoordinatePiece &P : Pieces) {
        const uint64_t Bits = ((uint64_t(1) << P.Bits) - 1) << P.To;
        EXPECT_EQ(Used & Bits, 0u) << Rank;
        Used |= Bits;
      }
      EXPECT_EQ(Used, (uint64_t(1) << CoordinateBits) - 1) << Rank;
    }
}

TEST(Coordinates, AreReadBack) {
  const std::array<uint64_t, 3> At = {100, 37, 5};
  for (unsigned Rank = 1; Rank <= 3; ++Rank)
    for (unsigned D = 0; D != Rank; ++D) {
      EXPECT_EQ(
          coordinateOf(placeOf(tensorPieces(Rank), At), tensorPieces(Rank), D),
          At[D]);
      EXPECT_EQ(coordinateOf(placeOf(texturePieces(Rank), At),
                             texturePieces(Rank), D),
                At[D]);
    }
}

TEST(Coordinates, NeighboursInTwoDimensionsShareALineOfATexture) {
  const ArrayRef<CoordinatePiece> Pieces = texturePieces(2);
  auto LineOf = [&](uint64_t X, uint64_t Y) {
    const std::array<uint64_t, 2> At = {X, Y};
    return placeOf(Pieces, At) / 128;
  };
  EXPECT_EQ(LineOf(0, 0), LineOf(31, 3));
  EXPECT_NE(LineOf(0, 0), LineOf(64, 0));
  EXPECT_NE(LineOf(0, 0), LineOf(0, 8));
}

} // namespace
