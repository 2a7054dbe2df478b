//===- ClassesOfPtx.h - Latencies of classes from PTX -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_DEVICE_CLASSESOFPTX_H
#define GPUOCC_LIB_DEVICE_CLASSESOFPTX_H

namespace gpuocc {

struct DeviceModel;

/// Gives the classes of \p Device without a latency of their own that of the
/// PTX operation which is one instruction of the class (PtxClasses.def), where
/// the device states it. Its source names the operation.
void addLatenciesOfPtx(DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_LIB_DEVICE_CLASSESOFPTX_H
