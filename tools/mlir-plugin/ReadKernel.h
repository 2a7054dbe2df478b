//===- ReadKernel.h - A kernel of MLIR to facts -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_MLIRPLUGIN_READKERNEL_H
#define GPUOCC_TOOLS_MLIRPLUGIN_READKERNEL_H

#include "gpuocc/ReadMLIR/LowerKernel.h"
#include "sources/ReadSource.h"

namespace gpuocc {

/// How to read kernels.
struct MlirOptions {
  LoweringOptions Lowering;
  /// The assembler, and what facts are read with.
  SourceOptions Source;
};

/// The facts of \p Kernel in \p Bytecode (writeBytecode()), by each view that
/// \p Options ask for. It is lowered, optimized and read in a process of its
/// own, so that nothing that ends there ends this one. Fails with a
/// LoweringError where an operation is to blame.
llvm::Expected<std::vector<KernelFacts>>
readKernel(llvm::StringRef Bytecode, llvm::StringRef Kernel,
           const mlir::DialectRegistry &Registry, const MlirOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_MLIRPLUGIN_READKERNEL_H
