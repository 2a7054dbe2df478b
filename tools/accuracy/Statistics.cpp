//===- Statistics.cpp - Summaries of errors -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace gpuocc;
using namespace llvm;

double gpuocc::timesOff(double Predicted, double Measured) {
  if (!(Predicted > 0) || !(Measured > 0))
    return std::numeric_limits<double>::infinity();
  return std::max(Predicted / Measured, Measured / Predicted);
}

std::optional<double> gpuocc::quantile(ArrayRef<double> Values,
                                       double Fraction) {
  if (Values.empty())
    return std::nullopt;
  std::vector<double> Sorted = Values.vec();
  llvm::sort(Sorted);
  double Place = Fraction * double(Sorted.size() - 1);
  size_t Below = size_t(Place);
  if (Below + 1 == Sorted.size())
    return Sorted.back();
  double Part = Place - double(Below);
  if (Part == 0)
    return Sorted[Below];
  return Sorted[Below] * (1 - Part) + Sorted[Below + 1] * Part;
}

std::optional<double> gpuocc::geometricMean(ArrayRef<double> Values) {
  if (Values.empty())
    return std::nullopt;
  double Sum = 0;
  for (double V : Values)
    Sum += std::log(V);
  return std::exp(Sum / double(Values.size()));
}

std::string gpuocc::gainText(std::optional<double> Gain) {
  return Gain ? llvm::formatv("{0:f2}", *Gain).str() : "-";
}
