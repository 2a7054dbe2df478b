//===- DecidingArguments.h - Arguments that decide a time -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_DECIDINGARGUMENTS_H
#define GPUOCC_LIB_ASSESS_DECIDINGARGUMENTS_H

#include "WhereTaken.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The names of the arguments that are not given and whose value decides what
/// is predicted: with another one warps execute more instructions or ask L2 for
/// more. \p Own is the profile for \p L with what is assumed; \p Walked are the
/// facts whose lanes are walked, \p Facts those that \p Profile is made of.
std::vector<std::string>
decidingArguments(const KernelFacts &Walked, const KernelFacts &Facts,
                  const Launch &L, const ExecutionProfile &Own,
                  unsigned BlocksPerSm, const DeviceModel &Device,
                  const AssessOptions &Options, Profiler Profile);

/// "it follows from K and sbk, which nobody gave".
std::string undecidedText(llvm::ArrayRef<std::string> Names);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_DECIDINGARGUMENTS_H
