//===- CubinCode.h - PTX that machine code keeps ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_CUBINCODE_H
#define GPUOCC_TOOLS_SOURCES_CUBINCODE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuocc {

/// What a cubin says of the code that it was assembled from.
struct CubinCode {
  /// The PTX, with `.loc` where the line table of the machine code knows the
  /// place of an instruction; empty where the cubin was assembled without
  /// -lineinfo, which keeps it.
  std::string Ptx;
  /// Registers and stack of each kernel.
  llvm::StringMap<ResourceUse> Resources;
};

/// The cubins in \p Bytes, which may be one, or hold some that are not
/// compressed. What is damaged is left out.
std::vector<CubinCode> cubinsIn(llvm::StringRef Bytes);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_CUBINCODE_H
