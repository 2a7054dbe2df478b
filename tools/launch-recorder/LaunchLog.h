//===- LaunchLog.h - Launches, written down ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H

#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gpuocc::recorder {

/// The dim3 of CUDA.
struct Extent {
  unsigned X = 1, Y = 1, Z = 1;
};

/// Writes down each different launch once.
class LaunchLog {
public:
  /// Opens the files that the environment names; without them nothing is
  /// written.
  LaunchLog();

  /// The function at \p Stub launches the kernel \p Name.
  void addKernel(const void *Stub, const char *Name);

  /// A launch of the kernel behind \p Stub. \p Arguments points to each of
  /// them. Ends the program when it was the last launch that was wanted.
  /// Runs it where kernels run.
  void add(const void *Stub, Extent Grid, Extent Block, size_t SharedBytes,
           void **Arguments, bool IsCooperative = false);

private:
  /// A parameter as recordable kernels have it.
  struct Parameter {
    size_t Bytes = 0;
    bool IsWritten = false;
    std::vector<size_t> Wanted;
  };
  struct Kernel {
    std::vector<Parameter> Parameters;
    bool WritesAnywhere = false;
  };

  void readKernels(const char *File);
  std::string argumentText(const Parameter &P, const void *Argument,
                           bool WithMemory);
  std::string writeArray(const void *Pointer);
  /// Are the arrays of launch \p Index of a shape, from 0, written down?
  bool isSampled(uint64_t Index) const;
  /// What \p K has written is what memory holds; \p HasRun: it has.
  static void noteWritten(const Kernel &K, void **Arguments, bool HasRun);

  std::mutex Lock;
  std::FILE *File = nullptr;
  std::map<const void *, std::string> Kernels;
  std::map<std::string, Kernel> Described;
  /// Where the contents of arrays go; empty: nowhere.
  std::string MemoryFolder;
  unsigned NumArrays = 0;
  /// Kernels run: arrays differ from launch to launch.
  bool KernelsRun = false;
  /// Bytes of arrays that later launches of a shape had written.
  size_t LaterBytes = 0;
  /// Files by what they hold.
  std::map<std::pair<uint64_t, size_t>, std::string> FilesByContents;
  /// "kernel gx gy gz bx by bz", until seen.
  std::set<std::string> Wanted;
  bool HasWanted = false;
  /// Launches that were written down, with their place in the file.
  std::map<std::string, size_t> Written;
  struct Shape {
    uint64_t NumLaunches = 0;
    /// The last launch that was written down with its arrays.
    size_t LastSampled = 0;
  };
  /// By "kernel gx gy gz bx by bz".
  std::map<std::string, Shape> Shapes;
};

/// The log of the program.
LaunchLog &launchLog();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H
