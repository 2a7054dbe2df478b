//===- BlockStores.cpp - Stores of warps that leave L1 together -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockStores.h"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Share of the lines of a request to \p NumLines of them that L1 still has
/// when the next warp of the block stores.
static double keptOf(size_t NumLines) {
  constexpr double OneKept = 0.6, AllKept = 8, NoneKept = 32;
  if (NumLines < 2)
    return OneKept;
  return std::clamp(std::log(NoneKept / double(NumLines)) /
                        std::log(NoneKept / AllKept),
                    0.0, 1.0);
}

void BlockStores::store(uint32_t Access, Toucher By,
                        ArrayRef<LineTouch> Touches, double Weight,
                        uint64_t Turn) {
  if (Turn != OfTurn)
    Stored.clear();
  OfTurn = Turn;
  const double Kept = keptOf(Touches.size());
  for (const LineTouch &T : Touches) {
    uint8_t &Before = Stored[{By.Block, T.Line}];
    Totals[Access].All += Weight * std::popcount(T.Sectors);
    Totals[Access].Merged +=
        Weight * Kept * std::popcount(uint8_t(T.Sectors & Before));
    Before |= T.Sectors;
  }
}
