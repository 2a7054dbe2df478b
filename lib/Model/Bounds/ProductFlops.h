//===- ProductFlops.h - Arithmetic of warp groups ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_PRODUCTFLOPS_H
#define GPUOCC_LIB_MODEL_BOUNDS_PRODUCTFLOPS_H

#include "gpuocc/Kernel/Operation.h"
#include "gpuocc/Model/WarpWork.h"

namespace gpuocc {

/// Operations of a warp's quarter of the product of a warp group that \p Class
/// issues for elements of \p Kind: 16 rows, as many columns as the class says,
/// and 32 bytes of elements between them (PTX ISA 9.0, 9.7.15). None for other
/// classes, and for kinds that are not multiplied so.
WarpFlops productFlops(InstClass Class, FlopKind Kind);

/// The same for \p Class of \p Op, whose name ends in the type of its elements.
/// None for types that no kind counts (FP8).
WarpFlops productFlops(InstClass Class, const Operation &Op);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_PRODUCTFLOPS_H
