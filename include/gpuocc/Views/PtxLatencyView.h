//===- PtxLatencyView.h - PTX operations on several GPUs --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_PTXLATENCYVIEW_H
#define GPUOCC_VIEWS_PTXLATENCYVIEW_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Writes a line for each PTX operation that one of \p Devices states and a
/// column for each of them: cycles when optimized / when not, "-" for what a
/// device does not state.
///
/// Source of the form: Arafa et al. 2019, "Instructions' Latencies
/// Characterization for NVIDIA GPGPUs", Table II.
void writePtxLatencies(llvm::ArrayRef<DeviceModel> Devices,
                       llvm::raw_ostream &OS);

/// The same with the provenance of each number: `devices`, and `operations`
/// with `name` and, by device, `O3` and `O0` as in a device file.
llvm::json::Value ptxLatencies(llvm::ArrayRef<DeviceModel> Devices);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_PTXLATENCYVIEW_H
