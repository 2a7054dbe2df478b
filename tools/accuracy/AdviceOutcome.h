//===- AdviceOutcome.h - Advice beside what it brought ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_ADVICEOUTCOME_H
#define GPUOCC_TOOLS_ACCURACY_ADVICEOUTCOME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

struct KernelReport;

/// A way to compile or launch a kernel.
struct LaunchVariant {
  unsigned Threads = 0;
  /// Registers per thread that the assembler gives it.
  unsigned Registers = 0;
  bool operator==(const LaunchVariant &) const = default;
};

/// A variant and how long it takes.
struct MeasuredVariant {
  LaunchVariant Way;
  double Ns = 0;
};

/// What LaunchBoundsAdvice says of \p R: the variant that pays and the gain
/// that it promises. Nothing where it says to leave all as it is.
struct AdvisedVariant {
  LaunchVariant Way;
  double Gain = 1;
};
std::optional<AdvisedVariant> advisedVariant(const KernelReport &R);

/// What came of the advice for one kernel.
struct AdviceOutcome {
  std::string Kernel;
  /// As it was compiled and launched before.
  LaunchVariant Own;
  /// Nothing: to leave it.
  std::optional<AdvisedVariant> Advised;
  /// Speed-up of the advised variant; 1 when nothing is to be changed, nothing
  /// when that variant was not measured.
  std::optional<double> Measured;
  /// Speed-up of the fastest variant measured; 1 when that is the own one.
  double BestGain = 1;
  LaunchVariant Best;

  /// A change made the kernel faster, or it was left.
  bool helps() const;
  /// Helps, and no variant measured is more than 5 % faster: about what two
  /// orders of the same instructions differ by.
  bool isHit() const;
};

/// Judges \p Advised for \p Kernel by \p Ways, its own variant first.
AdviceOutcome judgeAdvice(std::string Kernel,
                          std::optional<AdvisedVariant> Advised,
                          llvm::ArrayRef<MeasuredVariant> Ways);

/// One row a kernel; then how often changes helped, hits, how far predicted
/// gains are off, and the worst miss.
void printAdvice(llvm::ArrayRef<AdviceOutcome> Outcomes, llvm::raw_ostream &OS);

/// The same as one JSON object.
void writeAdvice(llvm::ArrayRef<AdviceOutcome> Outcomes,
                 llvm::json::OStream &J);

/// Hits in percent of \p Outcomes; 0 for none.
double hitPercent(llvm::ArrayRef<AdviceOutcome> Outcomes);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_ADVICEOUTCOME_H
