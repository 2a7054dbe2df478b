//===- PageParts.h - The fixed text of the HTML page ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PAGEPARTS_H
#define GPUOCC_LIB_VIEWS_PAGEPARTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// Files of lib/Views/html, embedded by cmake/EmbedPage.cmake: page.css,
/// body.html, and the scripts in the order of their names.
llvm::StringRef pageStyle();
llvm::StringRef pageBody();
llvm::StringRef pageScript();

/// Chart.js; empty where the build found none.
llvm::StringRef pageCharts();

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PAGEPARTS_H
