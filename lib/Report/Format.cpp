//===- Format.cpp - Numbers in messages -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Plural.h"
#include "gpuocc/Support/Printable.h"
#include <cmath>
#include <cstdio>

using namespace gpuocc;

static std::string printed(double Value, int Decimals) {
  char Buffer[400];
  std::snprintf(Buffer, sizeof(Buffer), "%.*f", Decimals, Value);
  std::string Text = Buffer;
  if (Text.find('.') != std::string::npos) {
    Text.erase(Text.find_last_not_of('0') + 1);
    if (Text.back() == '.')
      Text.pop_back();
  }
  return Text == "-0" ? "0" : Text;
}

std::string gpuocc::formatNumber(double Value) {
  if (std::isnan(Value))
    return "unknown";
  if (std::isinf(Value))
    return "unbounded";
  double Magnitude = std::fabs(Value);
  if (Magnitude < 1e-12)
    return "0";
  int Digits = int(std::floor(std::log10(Magnitude)));
  // 9.996 has one digit before the point, but rounds to two.
  if (std::round(Magnitude * std::pow(10, 2 - Digits)) >= 1000)
    ++Digits;
  // Nobody counts more digits; such numbers are of launches not credible.
  if (Digits >= 12)
    return printed(Value / std::pow(10, Digits), 2) + "e" +
           std::to_string(Digits);
  return printed(Value, Digits >= 2 ? 0 : 2 - Digits);
}

std::string gpuocc::formatCount(double Count, llvm::StringRef Noun) {
  const std::string Shown = formatNumber(Count);
  return Shown + " " + plural(Shown, Noun);
}

std::string gpuocc::formatChange(double Now, double Before) {
  const std::string Shown = formatNumber(Before);
  return formatNumber(Now) == Shown ? ", as before" : " instead of " + Shown;
}

std::string gpuocc::formatWarps(double Warps) {
  // What is whole but for rounding errors is whole.
  constexpr double Slack = 1e-6;
  return std::isfinite(Warps) ? printed(std::ceil(Warps - Slack), 0)
                              : formatNumber(Warps);
}

std::string gpuocc::formatRatio(double Value) {
  if (!std::isfinite(Value))
    return formatNumber(Value);
  return (Value < 10 ? printed(Value, Value < 1.995 ? 2 : 1)
                     : printed(Value, 0)) +
         "x";
}

std::string gpuocc::formatPercent(double Fraction) {
  double Percent = 100 * Fraction;
  if (!std::isfinite(Percent))
    return formatNumber(Percent);
  return printed(Percent, Percent != 0 && std::fabs(Percent) < 1 ? 1 : 0) +
         " %";
}

std::string gpuocc::formatTime(double Ns) {
  struct Unit {
    double Ns;
    const char *Name;
  };
  static constexpr Unit Units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (const Unit &U : Units)
    if (Ns >= U.Ns)
      return formatNumber(Ns / U.Ns) + " " + U.Name;
  return formatNumber(Ns) + " ns";
}

std::string gpuocc::formatTimes(double LowNs, double HighNs) {
  return formatTime(LowNs) +
         (std::isinf(HighNs) ? " or more" : " to " + formatTime(HighNs));
}

std::string gpuocc::formatDim(const Dim3 &D) {
  std::string Text = std::to_string(D.X);
  if (D.Y != 1 || D.Z != 1)
    Text += "x" + std::to_string(D.Y);
  if (D.Z != 1)
    Text += "x" + std::to_string(D.Z);
  return Text;
}

std::string gpuocc::formatPlace(const SourcePlace &Place) {
  if (!Place.isValid())
    return "";
  std::string Text = printable(Place.File) + ":" + std::to_string(Place.Line);
  return Place.Column ? Text + ":" + std::to_string(Place.Column) : Text;
}
