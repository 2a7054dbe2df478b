//===- WriteGate.h - Why a change does not pass -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEGATE_H
#define GPUOCC_VIEWS_WRITEGATE_H

#include "gpuocc/Report/Gate.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Writes a line for each fault, as compilers write errors:
///
///   a.cu:31: error: 'k' is predicted 1.75x as slow as before, 7.1 us to
///   12.4 us on nvidia-h200, grid 32x32 ...: BankConflict at a.cu:41:28
///   [slowdown]
void writeGate(llvm::ArrayRef<GateFault> Faults, llvm::raw_ostream &OS);

/// The same as annotations of GitHub Actions.
void writeGateAnnotations(llvm::ArrayRef<GateFault> Faults,
                          llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEGATE_H
