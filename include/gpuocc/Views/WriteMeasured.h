//===- WriteMeasured.h - Predicted beside measured --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEMEASURED_H
#define GPUOCC_VIEWS_WRITEMEASURED_H

#include "gpuocc/Report/NsightCsv.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Writes a row for each kernel: both times, predicted over measured, what
/// binds it as predicted and what was busiest; then the geometric mean of how
/// far the times are apart.
void writeMeasured(llvm::ArrayRef<MeasuredKernel> Kernels,
                   llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEMEASURED_H
