//===- AssessRun.h - The launches of one module, assessed -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Session::assessAll() does for each kernel of a module and each of its
/// launches: refuse what cannot run, leave out what is known, assess the rest,
/// and sort what fails into errors and notes.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_ASSESSRUN_H
#define GPUOCC_TOOLS_DRIVER_ASSESSRUN_H

#include "driver/ReportKeys.h"
#include "driver/Session.h"
#include "driver/SuppressInSource.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Model/Predict.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// What a run reads. Refers to what a session has.
struct AssessInputs {
  const Config &File;
  llvm::ArrayRef<LaunchSpec> Launches;
  llvm::ArrayRef<HostLaunch> HostLaunches;
  const std::map<std::string, std::string> &Buffers;
  const Mechanisms &Used;
  /// Null: all reports are made.
  KnownReports *Known = nullptr;
  /// SessionOptions::IsOneOfMany.
  bool IsOneOfMany = false;
};

/// Assesses the kernels of one module, one after the other.
class AssessRun {
public:
  /// Adds to \p Result. \p Model and \p Options outlive the run.
  AssessRun(const AssessInputs &In, Predictor &Model,
            const AssessOptions &Options, SessionResult &Result);

  /// Assesses all launches of \p Kernels. Machine code stands beside the view
  /// that its counts come from, or alone.
  void run(std::vector<KernelFacts> Kernels);

private:
  /// Takes machine code that stands beside another view out of \p Kernels.
  void takeMachineCode(std::vector<KernelFacts> &Kernels);
  void assessKernel(KernelFacts &Facts);
  void assessLaunch(const KernelFacts &Facts, const Launch &L,
                    llvm::ArrayRef<Launch> All, size_t FirstReport);
  /// Notes the launch that \p R says cannot run.
  void noteRefused(const KernelFacts &Facts, const Launch &L, KernelReport R);
  /// Notes that \p L could not be assessed, as whoever gave it has to know.
  void noteFailed(const KernelFacts &Facts, const Launch &L, llvm::Error E);
  const KernelFacts *machineCode(const KernelFacts &Facts) const;

  const AssessInputs &In;
  Predictor &Model;
  const AssessOptions &Options;
  SessionResult &Result;
  SourceSuppressions Silenced;
  std::optional<ReportKeys> Keys;
  std::map<std::string, KernelFacts> MachineCode;
};

/// Adds to \p Result what a user got wrong about \p Kernel, which leaves the
/// other kernels: a note in one module of many, else an error.
void refuseKernel(SessionResult &Result, bool IsOneOfMany,
                  llvm::StringRef Kernel, llvm::Error E);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_ASSESSRUN_H
