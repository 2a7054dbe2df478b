//===- Format.h - Numbers in messages --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place where numbers are rounded for readers, so that remarks, text
/// and records agree and do not depend on the machine.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_FORMAT_H
#define GPUOCC_REPORT_FORMAT_H

#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Support/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// \p Value with three significant digits, integers from 100 on in full up to
/// 12 digits, no trailing zeros: "0.0445", "2.5", "12", "8192", "1.57e24";
/// "unbounded" and "unknown" for infinity and NaN.
std::string formatNumber(double Value);

/// \p Count of \p Noun: "1 request", "4 requests".
std::string formatCount(double Count, llvm::StringRef Noun);

/// What follows a number that was \p Before and is \p Now: " instead of 16", or
/// ", as before".
std::string formatChange(double Now, double Before);

/// Warps that are needed: the next whole number, or "unbounded".
std::string formatWarps(double Warps);

/// "2.9x".
std::string formatRatio(double Value);

/// "47 %".
std::string formatPercent(double Fraction);

/// "812 ns", "12.3 us", "4.56 ms", "1.2 s".
std::string formatTime(double Ns);

/// "3 us to 4 us"; "3 us or more" where \p HighNs is infinite.
std::string formatTimes(double LowNs, double HighNs);

/// "256x256", "32x8x2"; trailing extents of 1 are left out.
std::string formatDim(const Dim3 &D);

/// "file.cu:34:12", "file.cu:34", or empty for an invalid place.
std::string formatPlace(const SourcePlace &Place);

} // namespace gpuocc

#endif // GPUOCC_REPORT_FORMAT_H
