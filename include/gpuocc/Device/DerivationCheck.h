//===- DerivationCheck.h - What deriving a device is worth -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers that are known of a device beside those that its data sheet and a
/// relative would give it.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DERIVATIONCHECK_H
#define GPUOCC_DEVICE_DERIVATIONCHECK_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// One number, known and derived.
struct DerivedNumber {
  std::string Place;
  Number Known;
  Number Derived;

  /// Derived over known.
  double ratio() const { return Derived.Value / Known.Value; }
};

/// How far derived numbers are from known ones, as factors that are at least 1.
struct DerivationSpread {
  /// Geometric mean, 80th percentile and greatest of max(ratio, 1 / ratio).
  double Typical = 1, P80 = 1, Worst = 1;
};

/// The numbers that \p Known states (its data sheet, what is assumed, and PTX
/// instructions, which no model reads, aside) beside those that its data sheet
/// and \p Relative give.
///
/// Fails as deriveDevice() does.
llvm::Expected<std::vector<DerivedNumber>>
checkDerivation(const DeviceModel &Known, const DeviceModel &Relative);

/// \p Numbers in one figure each; 1 of no numbers.
DerivationSpread spreadOf(llvm::ArrayRef<DerivedNumber> Numbers);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DERIVATIONCHECK_H
