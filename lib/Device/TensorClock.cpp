//===- TensorClock.cpp - A device while its tensor cores work -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/TensorClock.h"
#include "gpuocc/Device/DeriveDevice.h"

using namespace gpuocc;

/// What a number that \p Rule derives is multiplied by where the clock of the
/// SMs is \p Slower times as fast.
static double factorAt(DerivationRule Rule, double Slower) {
  switch (Rule) {
  case DerivationRule::L2Time:
  case DerivationRule::DramTime:
  case DerivationRule::ClockTime:
    return Slower;
  case DerivationRule::L2Rate:
  case DerivationRule::DramRate:
    return 1 / Slower;
  case DerivationRule::Own:
  case DerivationRule::Kept:
  case DerivationRule::L1Size:
  case DerivationRule::L1Time:
    return 1;
  }
  llvm_unreachable("covered switch");
}

DeviceModel gpuocc::atTensorClock(DeviceModel Device) {
  const double Clock = Device.get(Quantity::SmClockMhz).valueOr(0),
               Tensor = Device.get(Quantity::SmClockTensorMhz).valueOr(Clock);
  if (!(Tensor > 0 && Tensor < Clock))
    return Device;
  const double Slower = Tensor / Clock;
  for (auto &[Q, N] : Device.Quantities)
    N.Value *= factorAt(derivationRule(Q), Slower);
  for (auto &[Level, Fit] : Device.Contention) {
    Fit.A.Value *= Slower;
    Fit.B.Value *= Slower;
    Fit.C.Value /= Slower;
    if (Fit.Peak)
      Fit.Peak->Value /= Slower;
  }
  Device.Quantities[Quantity::SmClockMhz].Value = Tensor;
  return Device;
}
