//===- GateForms.h - What machines read of a gate ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_GATEFORMS_H
#define GPUOCC_LIB_VIEWS_GATEFORMS_H

#include "gpuocc/Views/WriteGate.h"

namespace gpuocc {

/// SARIF 2.1.0 with one result for each entry.
void writeGateSarif(llvm::ArrayRef<GateEntry> Entries, llvm::raw_ostream &OS);

/// The subset of Code Climate's issues that GitLab's Code Quality reads.
void writeCodeQuality(llvm::ArrayRef<GateEntry> Entries, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_GATEFORMS_H
