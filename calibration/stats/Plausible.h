//===- Plausible.h - What a GPU can have measured --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a driver and its clocks say is checked where it arrives. The ranges are
/// wide: they hold GPUs from sm_70 on and what a hundredfold faster or slower
/// one would have. They tell a broken clock, not an unusual GPU.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_PLAUSIBLE_H
#define GPUOCC_CALIBRATION_STATS_PLAUSIBLE_H

#include "Statistics.h"
#include "WarpTimes.h"
#include "kernels/Ptx.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuocc::calibration {

/// Most cycles that a launch, or a single access in it, can have taken: an hour
/// at 5 GHz.
inline constexpr uint64_t MostCycles = uint64_t(1) << 44;

/// Why \p Records are no times of warps, in a few words that name the first
/// such warp; nothing where they can be. A warp ends after it starts, by its
/// SM's clock, and not before it by the global timer; both within an hour.
std::optional<std::string> whyImplausible(llvm::ArrayRef<WarpRecord> Records);

/// The same of the launch as a whole: what its SMs and the global timer say of
/// the clock is 10 MHz to 10 GHz. Short launches say nothing of it.
std::optional<std::string> whyImplausible(const WarpTimes &Times);

/// Why \p Value, in \p Unit, is no number of a GPU; nothing where it can be.
/// Finite and in the range of the unit. Differences of times may be within a
/// cycle or a microsecond of 0, to either side.
std::optional<std::string> whyImplausible(double Value, llvm::StringRef Unit);

/// The widest spread of a number that says something, where three or more
/// samples are behind it: half of its interval is as wide as it is large.
inline constexpr double MostSpread = 1;

/// Why the number \p Value, in \p Unit, with \p Samples behind it and the
/// spread \p Spread says nothing.
std::optional<std::string> whyImplausibleSpread(double Value,
                                                llvm::StringRef Unit,
                                                double Spread, size_t Samples);

/// Why an event pair does not say how long \p What took; nothing where it does.
std::optional<std::string> whyNoDuration(double Ns, bool MayBeZero);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_PLAUSIBLE_H
