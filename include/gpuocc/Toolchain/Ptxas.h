//===- Ptxas.h - Registers and memory from the assembler -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many registers a kernel takes is decided by ptxas. Where a user has it,
/// it is asked, and nothing is estimated.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_PTXAS_H
#define GPUOCC_TOOLCHAIN_PTXAS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace gpuocc {

/// What `ptxas -v` says of one kernel.
struct AssembledKernel {
  ResourceUse Resources;
  /// Static shared memory.
  uint64_t SharedBytes = 0;
  bool operator==(const AssembledKernel &) const = default;
};

/// By mangled name.
using AssembledKernels = std::map<std::string, AssembledKernel>;

/// Reads what `ptxas -v` printed; functions that are no kernels are left out,
/// and so are kernels for another architecture than \p Architecture ("sm_90";
/// empty takes all). \p Source is noted as the origin of every number.
AssembledKernels parsePtxasLog(llvm::StringRef Log, llvm::StringRef Source,
                               llvm::StringRef Architecture = "");

/// The "13.0" of `ptxas --version`, or nothing when it cannot be read.
std::string parsePtxasVersion(llvm::StringRef Text);

/// How to assemble.
struct PtxasOptions {
  /// The most registers that a thread may have; 0: no limit.
  unsigned RegisterLimit = 0;
  /// The limit holds for kernels with launch bounds too, whose bounds the
  /// assembler would heed instead.
  bool ForgetLaunchBounds = false;
  /// Where the machine code goes, with line tables; empty: nowhere.
  llvm::StringRef Cubin;
  /// More options of a build: "-O1".
  llvm::ArrayRef<std::string> Words;
};

/// Assembles \p Ptx for the architecture it names and reads the log.
/// \p Program is the path of ptxas. Code that calls functions of other files
/// is assembled as it is before linking, and the source of the numbers says so.
/// Fails when the program cannot be run or rejects the code; the error is the
/// first line of its own.
llvm::Expected<AssembledKernels> runPtxas(llvm::StringRef Program,
                                          llvm::StringRef Ptx,
                                          const PtxasOptions &Options = {});

/// The architecture in the `.target` line of \p Ptx, such as "sm_90a"; empty
/// when there is none.
llvm::StringRef targetOfPtx(llvm::StringRef Ptx);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_PTXAS_H
