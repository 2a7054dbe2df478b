//===- Report.h - The output type -------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// assess() makes reports, views print them; both sides know nothing of each
/// other. A report survives JSON and back unchanged.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_REPORT_H
#define GPUOCC_REPORT_REPORT_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Model/OccupancyRoofline.h"
#include "gpuocc/Model/Parallelism.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Model/Roofline.h"
#include "gpuocc/Report/Plan.h"
#include "gpuocc/Report/SizeSweep.h"
#include "gpuocc/Report/SourceEdit.h"
#include "gpuocc/Support/FileFormat.h"

namespace gpuocc {

/// The kinds of findings. Code that names rules includes RuleIds.h.
enum class RuleId : uint8_t;

/// Which -Rpass option shows a finding.
enum class RemarkKind : uint8_t { Passed, Analysis, Missed };

/// How bad a finding is.
enum class Severity : uint8_t {
  /// Nothing to gain is known.
  Note,
  /// Costs time.
  Warning,
  /// The launch fails or hangs.
  Error
};

/// The name of \p R, such as "BankConflict".
llvm::StringRef ruleName(RuleId R);
llvm::StringRef ruleTitle(RuleId R);
/// The kind of remark that findings of \p R are, but where there is nothing to
/// do.
RemarkKind ruleRemarkKind(RuleId R);

/// "passed", "analysis", "missed".
llvm::StringRef remarkKindKey(RemarkKind K);

/// A piece of a message. With a key it is a named argument of the remark,
/// otherwise plain text.
struct Evidence {
  std::string Key;
  std::string Text;
  /// Not part of the sentence: only records of optimization remarks have it.
  /// Such pieces stand behind all others.
  bool RecordOnly = false;
  bool operator==(const Evidence &) const = default;
};

/// One thing to tell the reader, at one place.
struct Finding {
  RuleId Rule = {};
  /// ruleRemarkKind(Rule), or Analysis for one of RemarkKind::Passed that
  /// leaves nothing to do.
  RemarkKind Remark = RemarkKind::Passed;
  SourceLocation Location;
  std::vector<Evidence> Message;
  /// Predicted speed-up when mended; unknown for rules without a price.
  Known<double> Gain = Known<double>::unknown("not a defect");
  /// What the kernel is bound by once mended.
  std::optional<Resource> BoundAfter;
  Exactness Exact = Exactness::Exact;
  /// Index of the access, branch or operation it speaks of; NoIndex if none.
  uint32_t Access = NoIndex;
  uint32_t Branch = NoIndex;
  /// The edit of the source that mends it, where somebody asked for edits.
  Known<SourceEdit> Edit = Known<SourceEdit>::unknown("nobody asked for edits");

  /// The message in one string.
  std::string text() const;
  bool operator==(const Finding &) const = default;
};

/// Error for findings of RuleId::CannotRun, Warning for those with a price.
Severity severityOf(const Finding &F);

/// One kernel under one launch.
struct KernelReport {
  KernelFacts Facts;
  Launch Launched;
  ExecutionProfile Profile;
  Prediction Predicted;
  /// What the prediction means in bytes, operations and instructions a second.
  Rates Achieved;
  Roofline OnRoofline;
  /// What one warp has in execution at once, and which chain it waits for.
  Parallelism InParallel;
  OccupancyRoofline OverOccupancy;
  /// Database name of the device.
  std::string Device;
  /// Where most of its numbers come from: "measured", "published", "derived
  /// from nvidia-h200".
  std::string DeviceBasis;
  /// Most costly first.
  std::vector<Finding> Findings;
  /// How many findings its source silenced, which are not among them.
  unsigned Suppressed = 0;
  /// Changes that pay one after the other, where somebody asked for advice.
  Known<Plan> Planned = Known<Plan>::unknown("nobody asked for advice");
  /// Times over sizes, where the launch is not given and somebody asked.
  Known<SizeSweep> OverSizes = Known<SizeSweep>::unknown("nobody asked for it");
  bool operator==(const KernelReport &) const = default;
};

/// Everything one run of the tool has to say.
struct Report {
  static constexpr unsigned CurrentSchema = currentVersion(FileFormat::Report);
  unsigned SchemaVersion = CurrentSchema;
  std::string Tool;
  std::vector<KernelReport> Kernels;
  /// Launches that fail or hang on their device: each has findings of
  /// RuleId::CannotRun and no profile, no prediction and no price.
  std::vector<KernelReport> Refused;

  /// Takes over the kernels of \p Other.
  void append(Report Other);
  bool operator==(const Report &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_REPORT_REPORT_H
