//===- Statistics.h - Summaries of errors -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_STATISTICS_H
#define GPUOCC_TOOLS_ACCURACY_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// max(P/M, M/P) for a prediction \p P of a measured \p M: 1 is exact.
/// Infinity when either is not positive.
double timesOff(double Predicted, double Measured);

/// The \p Fraction quantile of \p Values, linear between neighbours (the
/// usual definition of spreadsheets); nothing for no values. 0.5 is the median.
std::optional<double> quantile(llvm::ArrayRef<double> Values, double Fraction);

/// exp(mean(log(Values))); nothing for no values. All must be positive.
std::optional<double> geometricMean(llvm::ArrayRef<double> Values);

/// "1.25" for a \p Gain, "-" for none.
std::string gainText(std::optional<double> Gain);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_STATISTICS_H
