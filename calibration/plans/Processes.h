//===- Processes.h - A group measured in several processes -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a group in this process and in further ones of the same program.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_PROCESSES_H
#define GPUOCC_CALIBRATION_PLANS_PROCESSES_H

#include "Session.h"

namespace gpuocc::calibration {

/// How the program is called again.
struct Program {
  std::string Path;                   ///< Of the executable.
  std::vector<std::string> Arguments; ///< Those that a further process shares.
  unsigned Processes = 1;             ///< With this one.
};

/// Runs \p P in this process, then `Path --only P -o FILE` in others, one after
/// another, and puts what pooled() makes of the results into the database of
/// \p S. Errors: of the group, or the first line of a process that failed.
llvm::Error runInProcesses(const Plan &P, Session &S, const Program &Self);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_PROCESSES_H
