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

#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace gpuocc {

/// An argument as it lies in memory.
struct RecordedArgument {
  std::vector<uint8_t> Bytes;
  /// Of what points into device memory: bytes from there to the end of the
  /// allocation.
  uint64_t BytesBehind = 0;
  /// Files with what arrays held at the launch, by the offset of their address
  /// in the argument.
  std::map<uint64_t, std::string> Memory = {};
  bool operator==(const RecordedArgument &) const = default;
};

/// A launch that happened.
///
/// No Launch, since the recorder knows no types: arguments are bytes until the
/// facts of the kernel say what they are. A LaunchSpec is made of it.
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
///     KERNEL GX GY GZ BX BY BZ SHARED BYTES[@BEHIND][,OFFSET=FILE]...
///
/// with the bytes of each argument in hexadecimal digits. Fails on the first
/// line that is none; the error names file and line.
llvm::Expected<std::vector<RecordedLaunch>>
parseRecordedLaunches(llvm::StringRef Text, llvm::StringRef FileName);

/// \p Launches as the recorder writes them: what parseRecordedLaunches reads.
std::string textOf(llvm::ArrayRef<RecordedLaunch> Launches);

/// What the recorder needs to know of a kernel.
struct RecordableKernel {
  /// Mangled name.
  std::string Name;
  struct Parameter {
    uint64_t SizeBytes = 0;
    /// The kernel writes to what it points to, or something in it does.
    bool IsWritten = false;
    /// Offsets in it of the addresses of arrays whose contents are wanted.
    std::vector<uint64_t> Wanted;
  };
  std::vector<Parameter> Parameters;
  /// It may write to any array.
  bool WritesAnywhere = false;
};

/// The form in which the recorder is told of \p Kernels, a line each: the name,
/// '*' where it writes anywhere, and "SIZE[w][,OFFSET...]" for each parameter.
std::string textOf(llvm::ArrayRef<RecordableKernel> Kernels);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_RECORDEDLAUNCH_H
