//===- PendingStores.cpp - Stores that leave L1 together ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingStores.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;
using namespace llvm;

void PendingStores::store(uint32_t Access, ArrayRef<LineTouch> Touches,
                          double Weight, unsigned Group) {
  if (Group != CurrentGroup || llvm::is_contained(Passed, Access)) {
    Lines.clear();
    Passed.clear();
  }
  CurrentGroup = Group;
  Passed.push_back(Access);
  for (const LineTouch &T : Touches) {
    Totals[Access].All += Weight * std::popcount(T.Sectors);
    auto It =
        find_if(Lines, [&](const Pending &P) { return P.Line == T.Line; });
    if (It == Lines.end()) {
      if (Lines.size() == MostLines)
        Lines.erase(Lines.begin());
      Lines.push_back({T.Line, T.Sectors});
      continue;
    }
    Totals[Access].Merged +=
        Weight * kept() * std::popcount(uint8_t(T.Sectors & It->Sectors));
    It->Sectors |= T.Sectors;
  }
}

void PendingStores::clear() {
  Lines.clear();
  Passed.clear();
  HasLoaded = false;
}

double PendingStores::kept() const {
  const double N = double(Lines.size());
  if (N <= 3)
    return 1;
  if (HasLoaded)
    return std::max(0.0, 1 - (N - 3) / 12);
  return N <= 6 ? 0.5 : 0;
}
