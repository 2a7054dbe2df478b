//===- DeviceRecord.h - A record that the host does not overwrite *- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_DEVICERECORD_H
#define GPUOCC_TOOLS_PLUGIN_DEVICERECORD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMRemarkStreamer;
class Module;
} // namespace llvm

namespace gpuocc {

/// Calls \p Emit with a record that only this compile writes, and writes it.
/// With `-fsave-optimization-record -c -o k.o` clang gives the compiles of host
/// and devices one record, k.opt.yaml, and that of the host, the last one,
/// remains: what is emitted for \p M then also goes beside it
/// (deviceRecordName). Elsewhere \p Emit is called with nullptr.
llvm::Error
withDeviceRecord(llvm::Module &M, llvm::StringRef Architecture,
                 llvm::function_ref<void(llvm::LLVMRemarkStreamer *)> Emit);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_DEVICERECORD_H
