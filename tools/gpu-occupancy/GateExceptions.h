//===- GateExceptions.h - Kernels that a gate judges otherwise --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GATEEXCEPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GATEEXCEPTIONS_H

#include "gpuocc/Config/Config.h"
#include "gpuocc/Report/Gate.h"
#include "llvm/ADT/StringMap.h"

namespace gpuocc {

/// The exceptions in `.gpu-occupancy` files, on one day.
class GateExceptions {
public:
  /// \p ConfigPath takes the place of the files nearest to each source; empty:
  /// those count. \p Today is "2026-03-01".
  GateExceptions(std::string ConfigPath, std::string Today)
      : ConfigPath(std::move(ConfigPath)), Today(std::move(Today)) {}

  /// Reads the files for \p Changes. Fails where one is not understood, or
  /// names a criterion that does not exist.
  llvm::Error load(llvm::ArrayRef<KernelChange> Changes,
                   const FailOn &Criteria);

  /// The faults in \p Changes, which load() was given. \p Notes gets a line for
  /// each fault that is allowed, and for each exception whose day has passed.
  std::vector<GateFault> faults(llvm::ArrayRef<KernelChange> Changes,
                                std::vector<std::string> &Notes) const;

private:
  llvm::Expected<const Config *> configOf(const KernelSummary &K);
  /// The exception that allows \p Fault; null: none does. \p Ended gets the one
  /// that would have.
  const GateException *allowing(const GateFault &Fault,
                                const GateException *&Ended) const;

  std::string ConfigPath, Today;
  FailOn Common;
  llvm::StringMap<Config> Files;
  /// By change.
  std::map<const KernelChange *, std::vector<const GateException *>> Exceptions;
  std::map<const KernelChange *, FailOn> Own;
};

/// The day in local time, as exceptions write it.
std::string today();

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GATEEXCEPTIONS_H
