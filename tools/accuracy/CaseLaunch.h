//===- CaseLaunch.h - How a measured kernel was launched --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_CASELAUNCH_H
#define GPUOCC_TOOLS_ACCURACY_CASELAUNCH_H

#include "TruthFile.h"
#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/SeenReads.h"
#include <map>
#include <memory>

namespace gpuocc {

struct KernelFacts;

class CaseRecord;

/// Arguments of \p Facts that the variant of \p C says, "NAME=VALUE" of whole
/// numbers between commas, by position.
std::map<unsigned, int64_t> argumentsOfVariant(const TruthCase &C,
                                               const KernelFacts &Facts);

/// A launch to predict, and what is known of a run of it.
struct CaseLaunch {
  Launch What;
  /// As in RunCase.
  bool IsReached = false;
  std::shared_ptr<const SeenReads> Seen;
  std::shared_ptr<const CountedTurns> Turns;
};

/// Scalar arguments of truth cases, which truth files do not record: files in
/// the form of `.gpu-occupancy`, one a suite, or else what the program passes
/// when its host code is run.
class CaseLaunches {
public:
  /// Files are \p Folder/SUITE#VARIANT.yaml (cases of one kernel that differ in
  /// arguments only) and \p Folder/SUITE.yaml. An empty folder has none.
  /// \p Record is asked for what they do not say; null: nobody is.
  CaseLaunches(llvm::StringRef Folder, CaseRecord *Record)
      : Folder(Folder), Record(Record) {}

  /// The launch of \p C: shape from the measurement, arguments from the first
  /// launch of \p Facts in the suite's files whose shape does not contradict
  /// it, or from the record, or else what the variant of \p C says.
  llvm::Expected<CaseLaunch> find(const TruthCase &C, const KernelFacts &Facts);

private:
  std::string Folder;
  CaseRecord *Record;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_CASELAUNCH_H
