//===- WriteText.h - The report for a person at a terminal -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITETEXT_H
#define GPUOCC_VIEWS_WRITETEXT_H

#include "gpuocc/Report/Selection.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct TextOptions {
  /// Costly findings shown per kernel; 0 is no limit.
  unsigned MaxFindings = DefaultMaxFindings;
};

/// Writes a paragraph for each launch of \p R that cannot run: why, launch,
/// registers. Nothing where all can.
void writeRefusedText(const Report &R, llvm::raw_ostream &OS);

/// Writes what writeRefusedText does, and a paragraph for each kernel of \p R:
/// verdict, launch, registers, bounds, findings with their gain, assumptions.
llvm::Error writeText(const Report &R, const TextOptions &Options,
                      llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITETEXT_H
