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
#include <optional>
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

/// Bytes of managed memory, in pages, that a launch finds elsewhere than on the
/// device.
struct ManagedBytes {
  /// In pages that the host used last.
  uint64_t FromHost = 0;
  /// In pages that nobody has used.
  uint64_t Fresh = 0;
  uint64_t total() const { return FromHost + Fresh; }
  bool operator==(const ManagedBytes &) const = default;
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
  /// Blocks of a cluster; absent where the launch asked for none.
  std::optional<Dim3> Cluster = std::nullopt;
  /// The preferred carve-out that host code set for the kernel, in percent.
  std::optional<unsigned> CarveoutPercent = std::nullopt;
  bool IsCooperative = false;
  /// Parameters that point to pinned memory of the host.
  std::vector<unsigned> HostMemory = {};
  /// Bytes of managed memory that come to the device at this launch.
  ManagedBytes Managed = {};
  /// A file with what threads of sampled blocks read (Kernel/SeenReads.h);
  /// empty: nothing was kept.
  std::string SeenFile = {};
  /// A file with the turns of its loops (Kernel/CountedTurns.h), which is there
  /// where data end some; empty: nothing was counted.
  std::string TurnsFile = {};
  /// By parameter; empty where the recorder was not told their sizes.
  std::vector<RecordedArgument> Arguments;
  bool operator==(const RecordedLaunch &) const = default;
};

/// Reads what the recorder wrote to \p FileName, a line a launch:
///
///     KERNEL GX GY GZ BX BY BZ SHARED [KEY=VALUE]...
///         BYTES[@BEHIND][,OFFSET=FILE]...
///
/// with the bytes of each argument in hexadecimal digits, and the keys
/// "cluster" (X,Y,Z), "carveout" (percent), "cooperative" (1), "host" (the
/// parameters that point to memory of the host: 0,2), "managed" (bytes from the
/// host and fresh ones: 4096,0) and "seen" (a file). Lines
/// that begin with '!' are notes. Fails on the first other line that is none;
/// the error names file and line.
llvm::Expected<std::vector<RecordedLaunch>>
parseRecordedLaunches(llvm::StringRef Text, llvm::StringRef FileName);

/// The notes in \p Text, which the recorder wrote.
std::vector<std::string> recorderNotes(llvm::StringRef Text);

/// True where a kernel ran and failed.
bool hasFailedKernel(llvm::StringRef Text);

/// \p Launches as the recorder writes them: what parseRecordedLaunches reads.
std::string textOf(llvm::ArrayRef<RecordedLaunch> Launches);

/// What the recorder needs to know of a kernel.
struct RecordableKernel {
  /// Mangled name.
  std::string Name;
  struct Parameter {
    uint64_t SizeBytes = 0;
    /// Offsets in it of the addresses of arrays that the kernel writes to.
    std::vector<uint64_t> Written;
    /// Offsets in it of the addresses of arrays whose contents are wanted.
    std::vector<uint64_t> Wanted;
  };
  std::vector<Parameter> Parameters;
  /// It may write to any array.
  bool WritesAnywhere = false;
  /// With the same in its arguments and arrays it leaves the same in these.
  bool IsConfined = false;
  /// And behind itself it writes what they hold already.
  bool IsRepeatable = false;
  /// What it reads of memory that it changes while it runs decides what it
  /// does.
  bool IsDecidedByOwnWrites = false;
  /// What it reads from variables or through loaded pointers does.
  bool IsDecidedElsewhere = false;
  /// What the assembler gave it; 0 where that is not known.
  unsigned Registers = 0;
  uint64_t StaticSharedBytes = 0;
  uint64_t LocalBytes = 0;
  /// Threads of the largest block that can be launched; 0: as the device says.
  unsigned MaxThreads = 0;
  /// Blocks that an SM holds, by their warps from 1 on, without dynamic shared
  /// memory.
  std::vector<unsigned> BlocksByWarps = {};
};

/// The form in which the recorder is told of \p Kernels, a line each: the name,
/// '*' where it writes anywhere, "watched=1" where its own writes decide,
/// "watched=2" where what no parameter points to does, what is known of
/// "registers=", "shared=", "local=", "threads=" and "blocks=", and
/// "SIZE[wOFFSET...][,OFFSET...]" for each parameter.
std::string textOf(llvm::ArrayRef<RecordableKernel> Kernels);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_RECORDEDLAUNCH_H
