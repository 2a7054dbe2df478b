//===- PairGains.h - Predicted and measured gains of pairs ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_PAIRGAINS_H
#define GPUOCC_TOOLS_ACCURACY_PAIRGAINS_H

#include "gpuocc/Report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// A kernel with a finding and the same kernel with the finding mended.
struct PairGain {
  std::string Name;
  /// How many times faster the mended kernel is.
  double Measured = 1;
  /// What the findings of the naive kernel promise; nothing where none of them
  /// is about the mended place.
  std::optional<double> OfFindings;
  /// Predicted time of the naive kernel over that of the mended one; nothing
  /// where the two differ in what their data holds.
  std::optional<double> OfTimes;
};

/// What mending all findings of \p Rules in \p R promises, and nothing when
/// there is none. Each saves a part of the time; the parts add up while they
/// leave something.
std::optional<double> gainOfFindings(const KernelReport &R,
                                     llvm::ArrayRef<RuleId> Rules);

/// How far one of the two predictions is off over those pairs that have it.
struct PairErrors {
  size_t NumPairs = 0;
  /// Of |predicted / measured - 1|.
  double Median = 0;
  /// Greatest max(predicted / measured, measured / predicted).
  double WorstTimesOff = 1;
};
PairErrors errorsOf(llvm::ArrayRef<PairGain> Pairs,
                    std::optional<double> PairGain::*Predicted);

/// One row a pair, then median error and worst factor of both predictions.
void printPairGains(llvm::ArrayRef<PairGain> Pairs, llvm::raw_ostream &OS);

/// The same as one object: `pairs`, and `summary` with `findings` and `times`.
void writePairGains(llvm::ArrayRef<PairGain> Pairs, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_PAIRGAINS_H
