//===- Registers.h - Ask the assembler where there is one ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_REGISTERS_H
#define GPUOCC_TOOLS_DRIVER_REGISTERS_H

#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuocc {

struct ArchLimits;

/// The assembler that \p Choice stands for: empty for "off", what
/// findCudaToolkit finds for "auto", otherwise \p Choice itself, a path. Fails
/// when nothing can be run there.
llvm::Expected<std::string> choosePtxas(llvm::StringRef Choice);

/// Replaces the resources of \p Kernels by what the log \p File, of nvcc with
/// `-Xptxas -v` or of ptxas, says of them; kernels that it does not name stay
/// as they are. Fails when it cannot be read or names none of them for their
/// architecture.
llvm::Error resourcesFromLog(std::vector<KernelFacts> &Kernels,
                             llvm::StringRef File);

/// Fills LimitedResources of \p Kernels: what \p Ptxas makes of \p Ptx under
/// each register limit at which more warps fit, below what each kernel takes
/// without one. The assembler runs once for each limit, ten times at most.
void assembleUnderLimits(std::vector<KernelFacts> &Kernels,
                         llvm::StringRef Ptxas, llvm::StringRef Ptx);

/// The registers of \p Architecture ("sm_90"); what nothing states of it is as
/// sm_90 has it. A build allows a thread \p RegisterLimit of them; 0: it does
/// not say.
RegisterFile registerFileOf(llvm::StringRef Architecture,
                            unsigned RegisterLimit = 0);

/// The register limits, descending, with which the register file of \p Limits
/// holds 4, 8, 12... warps, so many that each scheduler has as many as the
/// others.
std::vector<unsigned> registerLimits(const ArchLimits &Limits);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_REGISTERS_H
