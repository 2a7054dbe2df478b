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
  /// What \p K has written is what memory holds; \p HasRun: it has.
  static void noteWritten(const Kernel &K, void **Arguments, bool HasRun);

  std::mutex Lock;
  std::FILE *File = nullptr;
  std::map<const void *, std::string> Kernels;
  std::map<std::string, Kernel> Described;
  /// Where the contents of arrays go; empty: nowhere.
  std::string MemoryFolder;
  unsigned NumArrays = 0;
  /// "kernel gx gy gz bx by bz", until seen.
  std::set<std::string> Wanted;
  bool HasWanted = false;
  /// Launches that were written down, with their place in the file.
  std::map<std::string, size_t> Written;
  /// "kernel gx gy gz bx by bz", once seen.
  std::set<std::string> Shapes;
};

/// The log of the program.
LaunchLog &launchLog();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H
