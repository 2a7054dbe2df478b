//===- RunProgram.h - Build a program and run it ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_RUNPROGRAM_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_RUNPROGRAM_H

#include "ProgramLimitOptions.h"
#include "driver/Arguments.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "sources/HostProgram.h"

namespace gpuocc {

/// The options of commands that build a program and run it.
struct RunProgramOptions {
  /// Read as analyze reads it.
  SourceOptions Source;
  std::string Device = "nvidia-h200";
  /// The command line of the program, quoted as in a shell.
  std::string Arguments;
  /// Kernels run, too (HostSources::Executes).
  bool Executes = false;
  /// HostSources::CountsExecuted.
  bool CountsExecuted = false;
  ProgramLimitOptions Limits;
  HostRun Run;

  RunProgramOptions();

  /// What these options are; they have to live as long as the rows.
  std::vector<OptionRow> rows();
};

/// A program that has run.
struct RanProgram {
  DeviceModel Device;
  std::vector<KernelFacts> Kernels;
  HostRecord Record;
};

/// Fails where none of \p Files is a CUDA source; \p Command is who asks.
llvm::Error checkProgramFiles(llvm::ArrayRef<llvm::StringRef> Files,
                              llvm::StringRef Command);

/// The kernels of \p Files for the architecture of \p Device, with the options
/// \p CompilerWords that stand behind "--". Fails as readKernels() does.
llvm::Expected<std::vector<KernelFacts>> readProgramKernels(
    const DeviceModel &Device, llvm::ArrayRef<llvm::StringRef> Files,
    llvm::ArrayRef<llvm::StringRef> CompilerWords, SourceOptions Source);

/// Builds the program of \p Files with the options \p CompilerWords that stand
/// behind "--", reads its kernels, runs it and prints the notes on the run.
///
/// Fails where a device or a place is not there, where the program cannot be
/// built or started, and where it launches no kernel.
llvm::Expected<RanProgram>
runProgram(RunProgramOptions Options, llvm::ArrayRef<llvm::StringRef> Files,
           llvm::ArrayRef<llvm::StringRef> CompilerWords);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_RUNPROGRAM_H
