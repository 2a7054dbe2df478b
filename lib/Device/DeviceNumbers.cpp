//===- DeviceNumbers.cpp - All numbers of a device, by place --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceNumbers.h"
#include "JsonNode.h"

using namespace gpuocc;
using namespace llvm;

static void add(std::vector<PlacedNumber> &Numbers, const Twine &Place,
                const Number &N) {
  Numbers.push_back({Place.str(), &N});
}

static void add(std::vector<PlacedNumber> &Numbers, const Twine &Place,
                const std::optional<Number> &N) {
  if (N)
    add(Numbers, Place, *N);
}

std::vector<PlacedNumber> gpuocc::allNumbers(const DeviceModel &Device) {
  std::vector<PlacedNumber> Numbers;
  for (const auto &[Q, N] : Device.Quantities) {
    const QuantityInfo &Info = quantityInfo(Q);
    add(Numbers, quantitySectionKey(Info.Section) + jsonPlaceStep(Info.Key), N);
  }
  for (const auto &[Class, Timing] : Device.Instructions) {
    std::string Place = "instructions" + jsonPlaceStep(instClassKey(Class));
    for (unsigned I = 0; I != NumTimingFields; ++I) {
      auto Field = TimingField(I);
      add(Numbers, Place + jsonPlaceStep(timingFieldKey(Field)),
          timingField(Timing, Field));
    }
  }
  for (const auto &[D, N] : Device.Dependences)
    add(Numbers, "dependences" + jsonPlaceStep(dependenceKey(D)), N);
  for (const auto &[Level, Fit] : Device.Contention) {
    std::string Place = "contention" + jsonPlaceStep(Level);
    add(Numbers, Place + ".a", Fit.A);
    add(Numbers, Place + ".b", Fit.B);
    add(Numbers, Place + ".c", Fit.C);
    add(Numbers, Place + ".peak", Fit.Peak);
    add(Numbers, Place + ".residual", Fit.Residual);
  }
  for (const auto &[Name, Timing] : Device.PtxInstructions) {
    std::string Place = "ptx_instructions" + jsonPlaceStep(Name);
    add(Numbers, Place + ".O3", Timing.O3);
    add(Numbers, Place + ".O0", Timing.O0);
    add(Numbers, Place + ".throughput_per_cycle_sm", Timing.Throughput);
  }
  return Numbers;
}

std::optional<double> NumberDifference::ratio() const {
  if (!First || !Second || First->Value == 0)
    return std::nullopt;
  return Second->Value / First->Value;
}

static const Number *findPlace(const std::vector<PlacedNumber> &Numbers,
                               StringRef Place) {
  for (const PlacedNumber &P : Numbers)
    if (P.Place == Place)
      return P.N;
  return nullptr;
}

std::vector<NumberDifference> gpuocc::differences(const DeviceModel &First,
                                                  const DeviceModel &Second) {
  std::vector<PlacedNumber> A = allNumbers(First), B = allNumbers(Second);
  std::vector<NumberDifference> Result;
  for (const PlacedNumber &P : A) {
    const Number *Other = findPlace(B, P.Place);
    if (!Other || Other->Value != P.N->Value)
      Result.push_back({P.Place, P.N, Other});
  }
  for (const PlacedNumber &P : B)
    if (!findPlace(A, P.Place))
      Result.push_back({P.Place, nullptr, P.N});
  return Result;
}
