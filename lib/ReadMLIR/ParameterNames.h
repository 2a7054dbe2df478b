//===- ParameterNames.h - What lowering makes of arguments ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_PARAMETERNAMES_H
#define GPUOCC_READMLIR_PARAMETERNAMES_H

#include <string>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace gpuocc {

/// Names of the parameters that \p Kernel has when it is lowered: "arg0", or
/// the name that the location of the argument has; of a memref "arg0.base",
/// "arg0.aligned", "arg0.offset", "arg0.size0", "arg0.stride0" or, with
/// \p BarePointers, one.
std::vector<std::string> parameterNames(mlir::Operation *Kernel,
                                        bool BarePointers);

} // namespace gpuocc

#endif // GPUOCC_READMLIR_PARAMETERNAMES_H
