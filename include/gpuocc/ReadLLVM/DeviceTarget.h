//===- DeviceTarget.h - A code generator for a device module ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READLLVM_DEVICETARGET_H
#define GPUOCC_READLLVM_DEVICETARGET_H

#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

/// The code generator that clang -O3 would use for \p M, for hosts that have
/// none of their own. Processor and features are those of the first function
/// that names them. Fails when the host has no back end for the triple of
/// \p M; a command must have initialized the NVPTX target.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createDeviceTarget(const llvm::Module &M);

} // namespace gpuocc

#endif // GPUOCC_READLLVM_DEVICETARGET_H
