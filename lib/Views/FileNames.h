//===- FileNames.h - How views name source files ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_FILENAMES_H
#define GPUOCC_LIB_VIEWS_FILENAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// \p File without "./" and inner "..", and relative to \p BaseDirectory where
/// it lies below that.
std::string fileBelow(llvm::StringRef File, llvm::StringRef BaseDirectory);

/// \p File as a URI reference (RFC 3986): relative names stay relative,
/// absolute ones get the scheme "file".
std::string fileUri(llvm::StringRef File);

/// True for a header of CUB or Thrust where a toolkit has it.
bool isCudaTemplate(llvm::StringRef File);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_FILENAMES_H
