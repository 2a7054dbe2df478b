//===- CaseRecord.h - Launches of measured programs -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_CASERECORD_H
#define GPUOCC_TOOLS_ACCURACY_CASERECORD_H

#include "CaseSources.h"
#include "KeptRecords.h"
#include "TruthFile.h"
#include "gpuocc/Config/LaunchSpec.h"
#include <optional>

namespace gpuocc {

/// Arguments of truth cases, which truth files do not record, by running the
/// host code of their programs without a GPU: each program once for each
/// command line.
class CaseRecord {
public:
  /// \p Cases are all that will be asked for. Programs of which \p Kept has the
  /// launches are not run again.
  CaseRecord(llvm::ArrayRef<TruthCase> Cases, CaseSources &Sources,
             KeptRecords Kept, const SourceOptions &Options,
             const DeviceModel &Device);

  /// The first launch of \p Facts with the shape of \p C and, where its variant
  /// is NAME=VALUE of a parameter, that argument. Nothing when the program
  /// cannot be built, or launches no such thing without its kernels' results
  /// and inputs. Inputs that the command line names and the sources do not
  /// bring are files of ones; what arrays hold is unknown then.
  std::optional<LaunchSpec> find(const TruthCase &C, const KernelFacts &Facts);

  /// What became of programs that did not simply end: why they could not be
  /// built, or were ended.
  std::map<std::string, std::string> notes() const;

private:
  /// A program with a command line.
  struct Program {
    std::vector<RecordedLaunch> Wanted;
    bool WasRun = false;
    HostRecord Record;
    std::string Note;
  };

  static std::string keyOf(const TruthCase &C);
  llvm::Expected<HostRecord> run(const TruthCase &C, const Program &P,
                                 llvm::StringRef MemoryFolder);

  CaseSources &Sources;
  KeptRecords Kept;
  const SourceOptions &Options;
  const DeviceModel &Device;
  std::map<std::string, Program> Programs;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_CASERECORD_H
