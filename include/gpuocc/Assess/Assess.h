//===- Assess.h - Facts, a launch and a device to a report ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_ASSESS_ASSESS_H
#define GPUOCC_ASSESS_ASSESS_H

#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Report/Report.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>

namespace gpuocc {

struct DeviceModel;
struct ExecutedCounts;
class Predictor;

/// What questions beyond a prediction may take: which arguments decide the
/// time, and what lies behind branches that no warp takes. Each walks the
/// kernel again for another launch. It counts evaluated operations, never time,
/// so that reports are the same everywhere.
struct QuestionBudget {
  uint64_t Steps = 0;
  uint64_t Taken = 0;

  bool isSpent() const { return Taken >= Steps; }
};

/// What to tell.
struct AssessOptions {
  LanesOptions Lanes;
  /// Findings with a smaller predicted gain are left out.
  double MinimumGain = 1.05;
  /// The same for single rules, by their names.
  std::map<std::string, double> MinimumGainOfRule;
  /// Names of rules to leave out.
  std::vector<std::string> Suppress;
  /// Look for launch bounds and block sizes that pay: LaunchBoundsAdvice. It
  /// evaluates the kernel once for each block size.
  bool AdviseLaunches = false;
  /// Predict kernels whose launch is not given over sizes of their problem,
  /// where it follows from these: KernelReport::OverSizes.
  bool SweepSizes = false;
  /// What warps of the launch executed where it ran; null where that is not
  /// known.
  std::shared_ptr<const ExecutedCounts> Executed;
  /// Of all kernels that are assessed with it; null for no limit. A kernel
  /// whose questions are begun gets all of them; one that comes later gets a
  /// gap.
  std::shared_ptr<QuestionBudget> Questions;
  /// What the caller took for granted; each report says so.
  std::vector<Assumption> Beforehand;

  /// The smallest gain with which findings of \p Rule are shown.
  double minimumGainOf(RuleId Rule) const;
};

/// Profiles, predicts, finds and prices. Fails when \p Device cannot run the
/// launch, naming the limit.
llvm::Expected<KernelReport> assess(KernelFacts Facts, Launch L,
                                    const DeviceModel &Device,
                                    const AssessOptions &Options);

/// The same for the device of \p Model, which many kernels can share.
llvm::Expected<KernelReport> assess(KernelFacts Facts, Launch L,
                                    Predictor &Model,
                                    const AssessOptions &Options);

/// \p L where a device cannot run it, whatever host code does: registers,
/// shared memory, threads, barriers, extents, launch bounds, clusters, and
/// blocks of a cooperative grid that cannot all be resident. A report of
/// findings CannotRun without a prediction (Report::Refused), one finding a
/// limit; nothing where the device runs the launch. A number of registers that
/// is an estimate counts where nine of ten such estimates would.
///
/// \param LaunchedAt  the place of the launch in host code, where one is known.
std::optional<KernelReport> refuse(const KernelFacts &Facts, const Launch &L,
                                   const DeviceModel &Device,
                                   const SourcePlace &LaunchedAt);

/// The same for what only a profile shows: \p R as one of Report::Refused where
/// it has findings CannotRun, otherwise nothing.
std::optional<KernelReport> refuse(const KernelReport &R);

/// The same for a reason that neither code nor launch show: \p R as a launch
/// that the device \p Device refuses, since \p Why; \p Remedy mends it.
KernelReport refuse(const KernelReport &R, llvm::StringRef Device,
                    std::string Why, std::string Remedy);

/// The same for the machine code \p Sass of the kernel \p Mir, which gives it
/// trip counts and addresses. Where the two do not join well \p Mir is assessed
/// instead, and has a gap that says so.
llvm::Expected<KernelReport> assessMachineCode(KernelFacts Mir,
                                               KernelFacts Sass, Launch L,
                                               Predictor &Model,
                                               const AssessOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_ASSESS_ASSESS_H
