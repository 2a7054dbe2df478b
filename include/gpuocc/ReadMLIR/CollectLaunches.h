//===- CollectLaunches.h - Launches in host code of MLIR --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_COLLECTLAUNCHES_H
#define GPUOCC_READMLIR_COLLECTLAUNCHES_H

#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/ReadMLIR/DeviceCode.h"

namespace gpuocc {

/// The gpu.launch_func in \p Root of kernels of \p Code, in program order.
/// Constant operands, and arithmetic of such, are numbers; sizes and strides of
/// memrefs are those of their types and allocations. A kernel that nothing
/// launches has the launch that its `known_grid_size` says. \p BarePointers as
/// in LoweringOptions.
std::vector<HostLaunch>
collectLaunches(mlir::ModuleOp Root, const DeviceCode &Code, bool BarePointers);

} // namespace gpuocc

#endif // GPUOCC_READMLIR_COLLECTLAUNCHES_H
