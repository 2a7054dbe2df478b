//===- LaunchSpec.h - What a user says about a launch ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_LAUNCHSPEC_H
#define GPUOCC_CONFIG_LAUNCHSPEC_H

#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// A launch as a configuration file or an option describes it, before it is
/// matched with a kernel. What was not said is absent.
///
/// No Launch, since what it says has names that only a kernel gives a meaning:
/// parameters, members, host variables. resolveLaunches() makes a Launch of it.
struct LaunchSpec {
  /// Name, mangled name, or /regular expression/ found anywhere in one of them.
  std::string Kernel;
  std::optional<Dim3> Grid;
  std::optional<Dim3> Block;
  std::optional<Dim3> Cluster;
  std::optional<uint64_t> DynamicSharedBytes;
  /// The preferred shared memory carve-out, 0 to 100.
  std::optional<unsigned> CarveoutPercent;
  /// Scalar arguments by parameter name or position (from 0); members of a
  /// struct as "NAME+BYTES".
  std::map<std::string, ScalarArgument> Arguments;
  /// Parameters that are structs as they lie in memory, by name or position:
  /// hexadecimal digits, two a byte.
  std::map<std::string, std::string> StructBytes;
  /// Files with what arrays hold when the kernel begins, from where a pointer
  /// points on, by its name or position; pointers in structs as "NAME+BYTES".
  std::map<std::string, std::string> Memory;
  /// Bytes from where a pointer points to the end of its array, by its name or
  /// position; pointers in structs as "NAME+BYTES".
  std::map<std::string, uint64_t> ArrayBytes;
  /// Pointers to pinned memory of the host, by name or position; in structs as
  /// "NAME+BYTES".
  std::vector<std::string> HostMemory;
  /// Iterations per entry of the loop at "file:line".
  std::map<std::string, double> TripCounts;
  /// Words that data-dependent addresses choose from, by "file:line".
  std::map<std::string, double> DistinctAddresses;
  /// Share of lanes that go on to what a branch guards, by "file:line".
  std::map<std::string, double> BranchProbabilities;
  LaunchOrigin Source;

  bool operator==(const LaunchSpec &) const = default;
};

/// Reads `KERNEL:grid=256x256,block=32x8,shared=0,n=8192`. KERNEL is a name, a
/// mangled name or a /regular expression/. Keys are `grid`, `block`, `cluster`
/// (W, WxH or WxHxD), `shared` (bytes), `carveout` (percent), `FILE:LINE` (the
/// trip count of the loop there), `NAME.bytes` (of the array that a pointer
/// points to), and names or positions of scalar arguments. Numbers may be
/// hexadecimal.
///
/// Fails on the first thing that is not understood; the error quotes \p Text
/// and names the column.
llvm::Expected<LaunchSpec> parseLaunchSpec(llvm::StringRef Text);

/// Fails when \p Pattern is a /regular expression/ that is not one.
llvm::Error checkKernelPattern(llvm::StringRef Pattern);

/// True when \p Pattern is written as a /regular expression/.
bool isKernelRegex(llvm::StringRef Pattern);

/// "32", "32x8" or "32x8x2"; each extent at least 1.
llvm::Expected<Dim3> parseDim3(llvm::StringRef Text);

/// A decimal or hexadecimal integer, or a decimal floating-point number.
llvm::Expected<ScalarArgument> parseScalar(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_CONFIG_LAUNCHSPEC_H
