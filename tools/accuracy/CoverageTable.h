//===- CoverageTable.h - Times inside and outside intervals -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_COVERAGETABLE_H
#define GPUOCC_TOOLS_ACCURACY_COVERAGETABLE_H

#include "gpuocc/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace gpuocc {

/// A launch that was predicted with an interval, and what was measured.
struct IntervalCase {
  std::string Id;
  TimeInterval Predicted;
  double PredictedNs = 0, MeasuredNs = 0;

  bool isInside() const {
    return Predicted.LowNs <= MeasuredNs && MeasuredNs <= Predicted.HighNs;
  }
  /// Upper end over lower end.
  double width() const { return Predicted.HighNs / Predicted.LowNs; }
  /// Half of the cases, by their ids: factors of intervals are fitted to the
  /// others alone.
  bool isHeldOut() const;
};

/// The launches whose intervals rest on the same.
struct CoverageClass {
  /// Reasons without the model, which is always there, and numbers of the
  /// device: "trip counts that nobody knows". Empty for the model alone.
  std::string DependsOn;
  unsigned NumCases = 0, NumInside = 0;
  /// Of those that are held out.
  unsigned NumHeldOut = 0, NumHeldOutInside = 0;
  /// Four fifths of the other ones are off by no more than this factor; nothing
  /// where there are none.
  std::optional<double> FourFifths;
  /// Infinity where half of the intervals have no upper end.
  double MedianWidth = 1;
  /// Those that took less than the lower end, and more than the upper one.
  std::vector<std::string> Faster, Slower;
};

/// By what intervals rest on, largest class first.
std::vector<CoverageClass> coverageOf(llvm::ArrayRef<IntervalCase> Cases);

void printCoverage(llvm::StringRef Title, llvm::ArrayRef<IntervalCase> Cases,
                   llvm::raw_ostream &OS);
void writeCoverage(llvm::ArrayRef<IntervalCase> Cases, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_COVERAGETABLE_H
