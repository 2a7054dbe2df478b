//===- ViewsTable.h - Machine views side by side ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_VIEWSTABLE_H
#define GPUOCC_TOOLS_ACCURACY_VIEWSTABLE_H

#include "KernelTable.h"

namespace gpuocc {

/// Instructions and times of the cases that are in both \p Mir and \p Sass
/// (rows of the two views of the same measurements), worst instructions of the
/// SASS view first; nothing where \p Sass is empty.
void printViews(llvm::ArrayRef<KernelRow> Mir, llvm::ArrayRef<KernelRow> Sass,
                llvm::raw_ostream &OS);

/// The goals of the cases that are in both views, for each.
void printViewSummaries(llvm::StringRef Title, llvm::ArrayRef<KernelRow> Mir,
                        llvm::ArrayRef<KernelRow> Sass, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_VIEWSTABLE_H
