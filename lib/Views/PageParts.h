//===- PageParts.h - The fixed text of the HTML pages -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PAGEPARTS_H
#define GPUOCC_LIB_VIEWS_PAGEPARTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// Files of lib/Views/html, embedded by cmake/EmbedPage.cmake.
llvm::StringRef reportBody();
llvm::StringRef reportScript();
llvm::StringRef comparisonBody();
llvm::StringRef comparisonScript();

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PAGEPARTS_H
