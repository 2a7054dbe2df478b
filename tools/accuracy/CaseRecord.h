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
#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/SeenReads.h"
#include <memory>
#include <optional>

namespace gpuocc {

/// How programs of truth cases are run.
struct CaseRunOptions {
  /// Kernels run too, on the CPU.
  bool Executes = false;
  /// A program is ended then. Host code that runs for longer is computing what
  /// the kernels should have.
  unsigned LimitSeconds = 150;
};

/// A launch of a truth case that a program made.
struct RunCase {
  LaunchSpec Spec;
  /// The program came to it by the results of its kernels, and what decides
  /// its counts was kept; always false where kernels do nothing.
  bool IsReached = false;
  /// What threads of sampled blocks read meanwhile; null where nothing was
  /// kept.
  std::shared_ptr<const SeenReads> Seen = nullptr;
  /// The turns of its loops; null where none were counted.
  std::shared_ptr<const CountedTurns> Turns = nullptr;
};

/// Arguments of truth cases, which truth files do not record, by running the
/// host code of their programs without a GPU: each program once for each
/// command line.
class CaseRecord {
public:
  /// \p Cases are all that will be asked for. Programs of which \p Kept has the
  /// launches are not run again.
  CaseRecord(llvm::ArrayRef<TruthCase> Cases, CaseSources &Sources,
             KeptRecords Kept, const SourceOptions &Options,
             const DeviceModel &Device, CaseRunOptions Run = {});

  /// The first launch of \p Facts with the shape of \p C and, where its variant
  /// is NAME=VALUE of a parameter, that argument; where kernels run, the last
  /// of the first launches (LaunchLog.cpp), as it was measured. Nothing when
  /// the program cannot be built, or launches no such thing without its
  /// kernels' results and inputs. Inputs that the command line names and the
  /// sources do not bring are files of ones; what arrays hold is unknown then.
  std::optional<RunCase> find(const TruthCase &C, const KernelFacts &Facts);

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
  const CaseRunOptions How;
  std::map<std::string, Program> Programs;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_CASERECORD_H
