//===- RepeatedLaunches.h - Launches whose results are known ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H

#include "KernelTable.h"
#include "Launch.h"
#include "gpuocc/Execute/RunEffects.h"
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gpuocc::recorder {

/// Knows what launches leave in memory that are like an earlier one: programs
/// launch a kernel a thousand times to measure it.
///
/// A launch that would write what memory holds already does nothing. One that
/// finds in all its arrays what an earlier one has found, such as a sum by
/// atomics whose result is set to 0 before each launch, leaves what that has
/// left, which is kept of kernels that take longer than a look at their arrays.
class RepeatedLaunches {
public:
  /// A launch that is to run.
  struct Begin {
    /// What decides its results; empty where nobody wants to know.
    std::string Key;
    std::chrono::steady_clock::time_point Start;
  };
  /// True where memory holds what \p Request would leave. \p MayReplay: it may
  /// be put there.
  bool isDone(const ProgramKernel &K, const LaunchRequest &Request,
              bool MayReplay, Begin &Out);
  /// \p K has run, and its arrays have their new versions.
  void noteRun(const ProgramKernel &K, const LaunchRequest &Request,
               const Begin &From, RunEffects Effects);
  /// The host has written to a variable of the device.
  void noteVariable();
  /// It may, from now on, at any time.
  void noteVariableAddress();

private:
  /// An allocation as a launch has left it.
  struct Result {
    void *Start = nullptr;
    std::vector<char> Bytes;
    uint64_t Digest = 0;
  };
  /// What is known of the launches of a kernel and shape.
  struct Shape {
    double Seconds = 0;
    unsigned NumMissed = 0;
    RunEffects Effects = RunEffects::Others;
  };

  /// What decides the launch if it reads nothing that it writes; empty where
  /// something else may.
  std::string keyOf(const ProgramKernel &K, const LaunchRequest &Request) const;
  /// What decides it in any case, by what its arrays hold.
  std::string contentKeyOf(const ProgramKernel &K,
                           const LaunchRequest &Request);
  uint64_t digestOfArray(const void *Pointer);
  bool isWorthwhile(const ProgramKernel &K, const LaunchRequest &Request,
                    const Shape &S) const;

  std::mutex Lock;
  std::set<std::string> Done;
  /// By contentKeyOf().
  std::map<std::string, std::vector<Result>> Results;
  size_t ResultBytes = 0;
  /// By kernel, grid and block.
  std::map<std::string, Shape> Shapes;
  /// Of what an allocation holds, by its version.
  std::map<uint64_t, uint64_t> Digests;
  unsigned VariableVersion = 0;
  bool VariablesAreOpen = false;
};

RepeatedLaunches &repeatedLaunches();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H
