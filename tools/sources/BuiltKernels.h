//===- BuiltKernels.h - Resources of the kernels in a binary ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_BUILTKERNELS_H
#define GPUOCC_TOOLS_SOURCES_BUILTKERNELS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpuocc {

/// Bytes per thread that instructions on local memory move, each instruction
/// once: spills, and arrays that are indexed by data.
struct LocalTraffic {
  uint64_t StoredBytes = 0, LoadedBytes = 0;
};

/// What the machine code of a kernel says of what it takes.
struct BuiltKernel {
  /// Mangled.
  std::string Name;
  /// "sm_90"; empty where the head of the cubin says none that is known.
  std::string Architecture;
  unsigned RegistersPerThread = 0;
  uint64_t StackBytes = 0;
  /// Without what the driver keeps for itself.
  uint64_t StaticSharedBytes = 0;
  /// Absent for instructions of another form than those of sm_70 and later.
  std::optional<LocalTraffic> Local;
  unsigned Barriers = 0;
  LaunchBounds Bounds;
};

/// The kernels in \p Bytes: a cubin, a fat binary, an object, a static or
/// shared library, or a program, in the order in which they lie there. They are
/// read from ELF and without a program of the toolkit. A kernel that several
/// containers hold appears several times.
///
/// Fails where device code is damaged or cannot be decompressed. Empty where
/// there is none.
llvm::Expected<std::vector<BuiltKernel>> builtKernels(llvm::StringRef Bytes);

/// The facts that \p Kernel says without its instructions: it has no
/// operations, and a gap says so.
KernelFacts factsOf(const BuiltKernel &Kernel);

/// The local memory that \p Code, instructions of 16 bytes as sm_70 and later
/// have them, loads and stores.
LocalTraffic localTrafficOf(llvm::StringRef Code);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_BUILTKERNELS_H
