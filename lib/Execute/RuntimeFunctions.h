//===- RuntimeFunctions.h - What generated code calls -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_RUNTIMEFUNCTIONS_H
#define GPUOCC_LIB_EXECUTE_RUNTIMEFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc::execute {

/// The address of the function \p Name that generated code may call: of this
/// room, of the C library's mathematics and memory, and of the compiler's
/// arithmetic. Null for all others.
void *runtimeFunction(llvm::StringRef Name);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_RUNTIMEFUNCTIONS_H
