//===- RatesText.h - Rates in words -----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_RATESTEXT_H
#define GPUOCC_LIB_VIEWS_RATESTEXT_H

#include "gpuocc/Model/Rates.h"
#include <string>

namespace gpuocc {

/// "3.96 TB/s", "12.3 GFLOP/s": \p Giga 10^9 of \p Unit.
std::string gigaText(double Giga, llvm::StringRef Unit);

/// " (97 %)", or nothing when the peak is not known.
std::string shareText(const Rate &R);

/// "GFLOP/s" and "GOP/s" without the giga.
llvm::StringRef flopUnit(FlopKind K);

/// All rates that are not zero in one line, each with its percent of the peak.
std::string ratesText(const Rates &R);

/// The loads in flight at the first level that has any, in one line; empty
/// when no load leaves L1.
std::string inFlightText(const Rates &R);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_RATESTEXT_H
