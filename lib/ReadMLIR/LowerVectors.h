//===- LowerVectors.h - Vectors of MLIR to those of LLVM --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_LOWERVECTORS_H
#define GPUOCC_READMLIR_LOWERVECTORS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace gpuocc {

/// What convert-vector-to-llvm does before it converts types, which
/// convert-gpu-to-nvvm does itself: transfers, contractions, reductions of
/// several dimensions and the like become operations on one dimension.
std::unique_ptr<mlir::Pass> createLowerVectorsPass();

} // namespace gpuocc

#endif // GPUOCC_READMLIR_LOWERVECTORS_H
