//===- WriteComparison.h - Two reports side by side -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITECOMPARISON_H
#define GPUOCC_VIEWS_WRITECOMPARISON_H

#include "gpuocc/Report/CompareReports.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// One form of a comparison.
struct ComparisonView {
  llvm::StringLiteral Name;
  void (*Write)(llvm::ArrayRef<KernelChange> Changes, llvm::raw_ostream &OS);
};

/// text, json, markdown, github and html.
llvm::ArrayRef<ComparisonView> comparisonViews();

/// The view called \p Name, or nullptr.
const ComparisonView *findComparisonView(llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITECOMPARISON_H
