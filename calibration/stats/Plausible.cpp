//===- Plausible.cpp - What a GPU can have measured -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plausible.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

/// \p Value with as many digits as a message needs.
static std::string brief(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.7g", Value);
  return Text;
}

/// An hour.
static constexpr double MostNs = 3.6e12;

/// Why \p R is no time of a warp; null where it can be.
static const char *whyImplausible(const WarpRecord &R) {
  if (R.EndClock < R.StartClock)
    return "ended before it started, by the clock of its SM";
  if (R.EndClock == R.StartClock)
    return "took no cycle, by the clock of its SM";
  if (R.EndClock - R.StartClock > MostCycles)
    return "took longer than an hour, by the clock of its SM";
  if (R.EndTime < R.StartTime)
    return "ended before it started, by the global timer";
  if (double(R.EndTime - R.StartTime) > MostNs)
    return "took longer than an hour, by the global timer";
  return nullptr;
}

std::optional<std::string> whyImplausible(ArrayRef<WarpRecord> Records) {
  for (const auto &[Index, R] : enumerate(Records))
    if (const char *Why = whyImplausible(R))
      return formatv("warp {0} of {1} {2}: clock {3} to {4}, timer {5} to {6}",
                     Index, Records.size(), Why, R.StartClock, R.EndClock,
                     R.StartTime, R.EndTime)
          .str();
  return std::nullopt;
}

std::optional<std::string> whyImplausible(const WarpTimes &T) {
  // The global timer counts in steps of up to 1 us.
  static constexpr double LongNs = 100e3, LongCycles = 2e6;
  static constexpr double SlowestGhz = 0.01, FastestGhz = 10;
  if (T.SmCyclesMax > double(MostCycles))
    return formatv("an SM took {0:f0} cycles from the first start of a warp to "
                   "the last end: longer than an hour",
                   T.SmCyclesMax)
        .str();
  if (T.Ns == 0 && T.SmCyclesMax >= LongCycles)
    return formatv("the global timer stood still in a launch of {0:f0} cycles",
                   T.SmCyclesMax)
        .str();
  if (T.Ns < LongNs ||
      (T.CyclesPerNs >= SlowestGhz && T.CyclesPerNs <= FastestGhz))
    return std::nullopt;
  return formatv("{0:f0} cycles of a warp in {1:f0} ns by the global timer: a "
                 "clock of {2:f4} GHz, where {3:f2} to {4:f0} are possible",
                 T.WarpCycles, T.Ns, T.CyclesPerNs, SlowestGhz, FastestGhz)
      .str();
}

namespace {
/// What numbers of a unit can be.
struct PhysicalRange {
  const char *Unit;
  double Low, High;
  /// What is no further from 0 says nothing and is possible, as the difference
  /// of two times is; 0 where there are no such numbers.
  double Noise;
};
} // namespace

// Of the recorded runs on an H100 and an H200 (calibration/results) and the
// data sheets of the database, the lowest and the highest number of each unit,
// a hundredth and a hundred times that or more.
static constexpr PhysicalRange Ranges[] = {
    {"GB/s", 1e-3, 1e6, 0},
    {"MHz", 10, 1e5, 0},
    {"byte", 1, 1e16, 0},
    {"byte/cycle", 1e-3, 1e6, 0},
    {"byte/cycle/SM", 1e-3, 1e5, 0},
    {"cycle", 1e-4, 1e8, 1},
    {"line/cycle/SM", 1e-3, 1e3, 0},
    {"ns", 1e-3, MostNs, 1000},
    {"op/cycle", 1e-6, 1e6, 0},
    {"op/cycle/SM", 1e-6, 1e4, 0},
    {"sector/cycle/SM", 1e-5, 1e3, 0},
    {"warp", 1e-2, 1e5, 1},
    {"warp_inst/cycle/SM", 1e-6, 1e3, 0},
};

/// The row of \p Unit; null where there is none.
static const PhysicalRange *rangeOf(StringRef Unit) {
  const PhysicalRange *R =
      find_if(Ranges, [&](const PhysicalRange &R) { return Unit == R.Unit; });
  return R == std::end(Ranges) ? nullptr : R;
}

std::optional<std::string> whyImplausible(double Value, StringRef Unit) {
  if (!std::isfinite(Value))
    return "is not finite";
  const PhysicalRange *R = rangeOf(Unit);
  if (!R) {
    if (Value < 0)
      return "is negative";
    return std::nullopt;
  }
  if ((Value >= R->Low && Value <= R->High) ||
      (R->Noise > 0 && std::fabs(Value) <= R->Noise))
    return std::nullopt;
  return "is " + brief(Value) + " " + Unit.str() + ", where " + brief(R->Low) +
         " to " + brief(R->High) + " are possible";
}

std::optional<std::string> whyImplausibleSpread(double Value, StringRef Unit,
                                                double Spread, size_t Samples) {
  static constexpr size_t FewestSamples = 3;
  const PhysicalRange *R = rangeOf(Unit);
  if (Samples < FewestSamples || Spread <= MostSpread ||
      (R && Spread * std::fabs(Value) <= R->Noise))
    return std::nullopt;
  return formatv("has samples too far apart: the interval of its mean is "
                 "{0:P0} of it to either side",
                 Spread)
      .str();
}

std::optional<std::string> whyNoDuration(double Ns, bool MayBeZero) {
  if (std::isfinite(Ns) && Ns <= MostNs && (Ns > 0 || (Ns == 0 && MayBeZero)))
    return std::nullopt;
  return brief(Ns) + " ns between two events, where " +
         (MayBeZero ? "0 to " : "more than 0 and up to ") + brief(MostNs) +
         " are possible";
}

} // namespace gpuocc::calibration
