//===- Assemble.h - What the assembler makes of kernels ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a user has the assembler, it is asked for the registers of kernels;
/// with the disassembler too, for their machine code.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_ASSEMBLE_H
#define GPUOCC_TOOLS_DRIVER_ASSEMBLE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuocc {

/// The programs to ask; what is not to be asked is empty.
struct AssemblyPrograms {
  std::string Ptxas, Nvdisasm;
  /// The most registers that a build allows a thread; 0: it does not say.
  unsigned RegisterLimit = 0;
  /// More options of a build for the assembler.
  std::vector<std::string> PtxasWords;
  /// What is missing for the view that was asked for; empty if nothing is.
  std::string Note;

  bool wantsPtx() const { return !Ptxas.empty(); }
  bool wantsMachineCode() const { return !Nvdisasm.empty(); }
};

/// The programs that options stand for. \p Ptxas: "off", "auto" or a path.
/// \p View: "mir" asks for registers only, "sass" for machine code and fails
/// when a program is missing, "auto" for machine code if that can be had. Fails
/// on other words and paths.
llvm::Expected<AssemblyPrograms> chooseAssembly(llvm::StringRef Ptxas,
                                                llvm::StringRef View);

/// What the assembler says of the kernels of \p Ptx; their machine code goes to
/// \p Cubin, a path, unless that is empty.
llvm::Expected<AssembledKernels> assemble(const AssemblyPrograms &Programs,
                                          llvm::StringRef Ptx,
                                          llvm::StringRef Cubin = "");

/// Replaces the estimated resources of \p Kernels by those in \p Made. Where it
/// failed the estimate stays, and the kernels have a gap that says why.
void takeResources(std::vector<KernelFacts> &Kernels,
                   llvm::Expected<AssembledKernels> Made);

/// Replaces the estimated resources of \p Kernels by what the assembler makes
/// of \p Ptx, and adds the SASS view of each kernel behind the others where
/// machine code is wanted. Where that fails the estimate stays, and the
/// kernel has a gap that says why.
void assembleKernels(std::vector<KernelFacts> &Kernels,
                     const AssemblyPrograms &Programs, llvm::StringRef Ptx);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_ASSEMBLE_H
