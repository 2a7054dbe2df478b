//===- DirectedRounding.h - Arithmetic that rounds another way --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_DIRECTEDROUNDING_H
#define GPUOCC_LIB_EXECUTE_DIRECTEDROUNDING_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc::execute {

/// The address of the function "gpuocc_OPERATION_ROUNDING_TYPE": an operation
/// (add, mul, div, fma, rcp, sqrt) of type f or d that rounds toward zero (rz),
/// down (rm) or up (rp); or "gpuocc_CONVERSION_ROUNDING" (i2f, ull2d, d2f).
/// Null for other names.
void *directedRounding(llvm::StringRef Name);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_DIRECTEDROUNDING_H
