//===- SharedParts.h - The fixed text of every page -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_PAGE_SHAREDPARTS_H
#define GPUOCC_LIB_PAGE_SHAREDPARTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// Files of lib/Page/html, embedded by cmake/EmbedPage.cmake: page.css, and the
/// scripts in the order of their names.
llvm::StringRef sharedStyle();
llvm::StringRef sharedScript();

/// Chart.js; empty where the build found none.
llvm::StringRef chartLibrary();

} // namespace gpuocc

#endif // GPUOCC_LIB_PAGE_SHAREDPARTS_H
