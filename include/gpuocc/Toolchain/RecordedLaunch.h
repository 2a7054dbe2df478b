//===- RecordedLaunch.h - Launches of a program that was run ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the runtime in tools/launch-recorder writes down while the host part of
/// a program runs without a GPU.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_RECORDEDLAUNCH_H
#define GPUOCC_TOOLCHAIN_RECORDEDLAUNCH_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// An argument as it lies in memory.
struct RecordedArgument {
  std::vector<uint8_t> Bytes;
  /// Of what points into device memory: bytes from there to the end of the
  /// allocation.
  uint64_t BytesBehind = 0;
  bool operator==(const RecordedArgument &) const = default;
};

/// A launch that happened.
struct RecordedLaunch {
  /// Mangled name.
  std::string Kernel;
  Dim3 Grid, Block;
  uint64_t DynamicSharedBytes = 0;
  /// By parameter; empty where nobody told the recorder their sizes.
  std::vector<RecordedArgument> Arguments;
  bool operator==(const RecordedLaunch &) const = default;
};

/// Reads what the recorder wrote to \p FileName, a line a launch:
///
///     KERNEL GX GY GZ BX BY BZ SHARED BYTES[@BEHIND]...
///
/// with the bytes of each argument in hexadecimal digits. Fails on the first
/// line that is none; the error names file and line.
llvm::Expected<std::vector<RecordedLaunch>>
parseRecordedLaunches(llvm::StringRef Text, llvm::StringRef FileName);

/// What the recorder needs to know of \p Kernels: a line each, its mangled name
/// and the bytes of its parameters.
std::string recordableParameters(llvm::ArrayRef<KernelFacts> Kernels);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_RECORDEDLAUNCH_H
