//===- DerivationCheck.cpp - What deriving a device is worth --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DerivationCheck.h"
#include "gpuocc/Device/DeriveDevice.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// What is compared: not what the derivation was given.
static bool isCompared(const PlacedNumber &P, const DeviceModel &Sheet) {
  return P.N->Origin != NumberOrigin::Assumed && P.N->Value > 0 &&
         none_of(allNumbers(Sheet), [&](const PlacedNumber &Given) {
           return Given.Place == P.Place;
         });
}

Expected<std::vector<DerivedNumber>>
gpuocc::checkDerivation(const DeviceModel &Known, const DeviceModel &Relative) {
  DeviceModel Sheet = dataSheetOf(Known);
  Expected<DeviceModel> Twin = deriveDevice(Sheet, Relative);
  if (!Twin)
    return Twin.takeError();
  std::vector<PlacedNumber> Placed = allNumbers(*Twin);
  StringMap<const Number *> Derived;
  for (const PlacedNumber &P : Placed)
    Derived[P.Place] = P.N;
  std::vector<DerivedNumber> Numbers;
  for (const PlacedNumber &P : allNumbers(Known))
    if (auto It = Derived.find(P.Place);
        It != Derived.end() && isCompared(P, Sheet))
      Numbers.push_back({P.Place, *P.N, *It->second});
  return Numbers;
}

DerivationSpread gpuocc::spreadOf(ArrayRef<DerivedNumber> Numbers) {
  if (Numbers.empty())
    return {};
  std::vector<double> Distances;
  for (const DerivedNumber &N : Numbers)
    Distances.push_back(std::abs(std::log(N.ratio())));
  llvm::sort(Distances);
  double Sum = 0;
  for (double D : Distances)
    Sum += D;
  size_t At = std::min(Distances.size() - 1,
                       size_t(std::ceil(0.8 * double(Distances.size())) - 1));
  return {std::exp(Sum / double(Distances.size())), std::exp(Distances[At]),
          std::exp(Distances.back())};
}
