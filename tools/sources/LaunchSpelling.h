//===- LaunchSpelling.h - Launches that nvcc takes and clang not *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_LAUNCHSPELLING_H
#define GPUOCC_TOOLS_SOURCES_LAUNCHSPELLING_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// \p Source with launches spelt as clang wants them, each character at its
/// place: nvcc also takes `k<< <grid, block>> >()`. Nothing where none is spelt
/// so.
std::optional<std::string> respellLaunchesIn(llvm::StringRef Source);

/// The same of the file \p Path; nothing where it cannot be read.
std::optional<std::string> respellLaunches(llvm::StringRef Path);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_LAUNCHSPELLING_H
