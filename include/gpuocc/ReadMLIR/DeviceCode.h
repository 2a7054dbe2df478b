//===- DeviceCode.h - Kernels in a module of MLIR ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_DEVICECODE_H
#define GPUOCC_READMLIR_DEVICECODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
class Operation;
} // namespace mlir

namespace gpuocc {

/// An operation that holds kernels, and these: a gpu.module, or a
/// builtin.module with functions of the LLVM dialect that are kernels already.
struct DeviceCode {
  mlir::Operation *Holder = nullptr;
  llvm::SmallVector<mlir::Operation *, 4> Kernels;
};

/// What \p Root holds, in its order; modules without kernels are left out.
std::vector<DeviceCode> findDeviceCode(mlir::ModuleOp Root);

/// True for gpu.func with `kernel`, and for llvm.func with `nvvm.kernel` or
/// `gpu.kernel`.
bool isKernel(mlir::Operation *Op);

/// The symbol of \p Function, which the code for the GPU has too.
llvm::StringRef symbolOf(mlir::Operation *Function);

/// `known_block_size` and `known_grid_size` of \p Kernel; zeros where it says
/// nothing.
std::array<unsigned, 3> knownBlockSize(mlir::Operation *Kernel);
std::array<unsigned, 3> knownGridSize(mlir::Operation *Kernel);

/// What `#nvvm.target` of a gpu.module says; what it does not is as MLIR has
/// it.
struct DeviceCodeTarget {
  /// "sm_90"; empty: nobody said.
  std::string Chip;
  /// "+ptx80".
  std::string Features;
  unsigned OptLevel = 2;
  bool FlushDenormals = false;
};
DeviceCodeTarget targetOf(mlir::Operation *Holder);

/// \p Code as bytecode: a builtin.module with one gpu.module in which it
/// stands. The input does not change.
std::string writeBytecode(const DeviceCode &Code);

/// Registers the dialects, conversions and translations that lowerKernel()
/// takes.
void registerLowering(mlir::DialectRegistry &Registry);

} // namespace gpuocc

#endif // GPUOCC_READMLIR_DEVICECODE_H
