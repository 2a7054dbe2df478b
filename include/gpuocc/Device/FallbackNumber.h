//===- FallbackNumber.h - Numbers for devices that lack them ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_FALLBACKNUMBER_H
#define GPUOCC_DEVICE_FALLBACKNUMBER_H

#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/InstTiming.h"
#include "gpuocc/Device/Quantity.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// What is taken for a number that the device database lacks.
struct FallbackNumber {
  /// In the unit that the number has in the database.
  double Value;
  /// Where it was measured, or what it stands for.
  llvm::StringLiteral Origin;
};

/// How reports name the missing number \p Key: "cold_start_cycles (none)".
/// \p Whence is what was taken for it: an origin, or another number.
std::string borrowedNumber(llvm::StringRef Key, llvm::StringRef Whence);

/// Null for a quantity that predictions can do without.
const FallbackNumber *fallbackNumber(Quantity Q);

/// The same of classes of instructions where no class of the pipe has a number
/// to lend, and of architectures.
const FallbackNumber *fallbackNumber(TimingField Field);
const FallbackNumber *
fallbackNumber(std::optional<unsigned> ArchLimits::*Limit);

/// What devices have unless they state otherwise, in the unit of Quantity.def;
/// \p Q has to be such a quantity (DEFAULT_NUMBER of FallbackNumbers.def).
double defaultNumber(Quantity Q);

/// The same of classes of instructions (DEFAULT_TIMING).
double defaultNumber(TimingField Field);

/// The same of architectures (DEFAULT_LIMIT): \p Limit of \p Limits, or what
/// architectures have that do not state it.
unsigned limitOrDefault(const ArchLimits &Limits,
                        std::optional<unsigned> ArchLimits::*Limit);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_FALLBACKNUMBER_H
