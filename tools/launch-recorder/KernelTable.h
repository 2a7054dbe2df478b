//===- KernelTable.h - The kernels of the program ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_KERNELTABLE_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_KERNELTABLE_H

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc::recorder {

/// What GPUOCC_RECORD_KERNELS says of a kernel
/// (gpuocc/Toolchain/RecordedLaunch.h).
struct KernelDescription {
  struct Parameter {
    size_t Bytes = 0;
    /// Offsets of the pointers to arrays that the kernel writes to, and to
    /// those whose contents are wanted.
    std::vector<size_t> Written, Wanted;
  };
  /// The name in the given code.
  std::string Name;
  std::vector<Parameter> Parameters;
  bool WritesAnywhere = false;
  /// With the same in its arguments and arrays it leaves the same in these.
  bool IsConfined = false;
  /// And behind itself it writes what they hold already.
  bool IsRepeatable = false;
  /// What it reads of memory that it changes itself decides what it does.
  bool IsWatched = false;
  /// What it reads where no parameter points to does.
  bool IsDecidedElsewhere = false;
  /// 0 where nothing is known.
  unsigned Registers = 0;
  size_t SharedBytes = 0, LocalBytes = 0;
  unsigned MaxThreads = 0;
  /// Blocks that an SM holds, by their warps (the first is that of 1), without
  /// dynamic shared memory; empty where nothing is known.
  std::vector<int> BlocksByWarps;
};

/// A kernel that the program can launch.
struct ProgramKernel {
  /// The name that the program registered it with.
  std::string Name;
  /// Null where no given source defines it.
  const KernelDescription *Description = nullptr;
  /// What the program set with cudaFuncSetAttribute; the attribute's own
  /// default where it set nothing.
  std::optional<int> DynamicSharedLimit, CarveoutPercent;

  /// The name in the given code where a source defines it.
  const std::string &nameInCode() const {
    return Description ? Description->Name : Name;
  }
};

/// Finds kernels by what the program names them with.
class KernelTable {
public:
  /// Reads the descriptions that the environment names.
  KernelTable();

  /// The function at \p Stub launches the kernel \p Name.
  void add(const void *Stub, const char *Name);
  /// A handle of the kernel \p Name for programs that load modules: its stub
  /// where one of the program's sources defines it.
  const void *byName(const std::string &Name);
  /// The kernel behind \p Handle, which is what byName() returned; null where
  /// there is none.
  ProgramKernel *find(const void *Handle);

private:
  void readDescriptions(const char *File);
  const KernelDescription *describe(const std::string &Name) const;
  ProgramKernel &create(const char *Name);

  std::mutex Lock;
  std::deque<ProgramKernel> Kernels;
  std::map<const void *, ProgramKernel *> ByHandle;
  std::map<std::string, const void *> ByName;
  std::map<std::string, KernelDescription> Descriptions;
  /// The same by the name in the source: compilers mangle functions that only
  /// one file sees in different ways.
  std::map<std::string, const KernelDescription *> BySourceName;
};

/// The table of the program.
KernelTable &kernelTable();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_KERNELTABLE_H
