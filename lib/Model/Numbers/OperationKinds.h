//===- OperationKinds.h - Operations that bound reordering ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_OPERATIONKINDS_H
#define GPUOCC_LIB_MODEL_NUMBERS_OPERATIONKINDS_H

namespace gpuocc {

struct Operation;

/// True if \p Op is a jump of the kernel: what closes or leaves a block.
bool isControl(const Operation &Op);

/// True if \p Op jumps around a slow path of its own: division, reciprocal and
/// square root with full precision.
bool hasSlowPath(const Operation &Op);

/// True if \p Op is a product of a warp group (wgmma).
bool isWarpGroupProduct(const Operation &Op);

/// True if no memory access, and no product of a warp group, is moved across
/// \p Op.
bool isFence(const Operation &Op);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_OPERATIONKINDS_H
