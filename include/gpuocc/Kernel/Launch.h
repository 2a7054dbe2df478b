//===- Launch.h - How a kernel is launched ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_LAUNCH_H
#define GPUOCC_KERNEL_LAUNCH_H

#include "gpuocc/Kernel/LaunchOrigin.h"
#include "gpuocc/Support/Known.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuocc {

/// Three-dimensional extent; x varies fastest.
struct Dim3 {
  uint64_t X = 1, Y = 1, Z = 1;
  uint64_t count() const { return X * Y * Z; }
  bool operator==(const Dim3 &) const = default;
};

/// A scalar argument: an integer, or a floating-point number whose bits the
/// kernel reads.
struct ScalarArgument {
  int64_t Integer = 0;
  double Real = 0;
  bool IsReal = false;
  bool operator==(const ScalarArgument &) const = default;
};

/// What host code allows a kernel, or asks of it, beside the extents of a
/// launch.
struct HostAllowance {
  /// A cooperative launch: all blocks of the grid must be resident at once.
  bool IsCooperative = false;
  /// False where the host code that launches the kernel is known not to raise
  /// cudaFuncAttributeMaxDynamicSharedMemorySize of it.
  bool MayRaiseShared = true;
  /// False where it is known not to set
  /// cudaFuncAttributeNonPortableClusterSizeAllowed.
  bool MayRaiseCluster = true;

  bool operator==(const HostAllowance &) const = default;
};

/// Something about a launch that somebody said in vain: a value that is not
/// known, or sources that contradict each other.
struct LaunchNote {
  /// "block", "grid".
  std::string What;
  /// What was said: "(n + 255) / 256"; of a contradiction, what counts.
  std::string Said;
  /// Why that has no value; the contradicting sources in order of precedence.
  std::string Why;
  bool operator==(const LaunchNote &) const = default;
};

/// A launch of one kernel, as one source says it or all together. Each value
/// says who gave it; results that rest on one that is not given are
/// assumptions.
struct Launch {
  /// From GivenBy::Nobody when nobody said.
  Sourced<Dim3> Block;
  /// Unknown when nobody said: the grid is then taken as large.
  Known<Sourced<Dim3>> Grid =
      Known<Sourced<Dim3>>::unknown("no launch of this kernel is known");
  Sourced<uint64_t> DynamicSharedBytes;
  /// Blocks per cluster.
  Dim3 Cluster;
  /// The preferred shared memory carve-out that the host sets for the kernel,
  /// in percent of the most an SM has.
  Known<unsigned> CarveoutPercent =
      Known<unsigned>::unknown("the host leaves it to the driver");
  HostAllowance Allowed;
  /// Launches of the loop of host code that this one is in, each of which
  /// writes to places of its own; 1 where no such loop is known.
  uint64_t LaunchesInLoop = 1;
  /// Scalar arguments by parameter index. A pointer may be given too, as a
  /// number: 0 is the null pointer.
  std::map<unsigned, Sourced<ScalarArgument>> Arguments;
  /// Members of arguments that are structs, by their offset in parameter
  /// memory: Parameter::OffsetBytes and that in the struct.
  std::map<unsigned, Sourced<ScalarArgument>> Members;
  /// Parameters that are structs as they lie in memory, by parameter index:
  /// hexadecimal digits, two a byte. Members take precedence.
  std::map<unsigned, Sourced<std::string>> StructBytes;
  /// Files with what arrays hold when the kernel begins, from where a pointer
  /// points on, by the offset of the pointer in parameter memory.
  std::map<unsigned, Sourced<std::string>> Memory;
  /// Bytes from where a pointer points to the end of its array, by the offset
  /// of the pointer in parameter memory.
  std::map<unsigned, Sourced<uint64_t>> ArrayBytes;
  /// Pointers to memory of the host (pinned, which kernels reach over the bus),
  /// by their offset in parameter memory.
  std::map<unsigned, Sourced<bool>> HostMemory;
  /// Alignment in bytes of pointer arguments by parameter index; others are
  /// assumed aligned as cudaMalloc aligns (256 bytes).
  std::map<unsigned, Sourced<uint64_t>> PointerAlignment;
  /// Iterations per entry of loops that the code does not decide, keyed
  /// "file:line" (base name of the file).
  std::map<std::string, Sourced<double>> TripCounts;
  /// Words that data-dependent addresses of an access choose from, each as
  /// likely as the others, keyed "file:line" (base name of the file).
  std::map<std::string, Sourced<double>> DistinctAddresses;
  /// Share of the lanes, at a branch that loaded data decides, that go on to
  /// the code that the source has first behind it, keyed "file:line".
  std::map<std::string, Sourced<double>> BranchProbabilities;
  std::vector<LaunchNote> Notes;

  uint64_t threadsPerBlock() const { return Block.Value.count(); }
  uint64_t warpsPerBlock() const { return (threadsPerBlock() + 31) / 32; }
  bool operator==(const Launch &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_LAUNCH_H
