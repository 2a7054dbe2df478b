//===- MadeHeaders.h - Headers that a build makes ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_MADEHEADERS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_MADEHEADERS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// The file that the build of \p Source makes the header \p Name from, relative
/// to the repository around \p Source: the first one there that has its name
/// and ".in". Empty where there is none.
std::string templateOfHeader(llvm::StringRef Name, llvm::StringRef Source);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_MADEHEADERS_H
