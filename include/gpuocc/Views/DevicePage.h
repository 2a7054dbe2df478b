//===- DevicePage.h - A GPU on one page -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_DEVICEPAGE_H
#define GPUOCC_VIEWS_DEVICEPAGE_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Writes what \p Device computes and moves on one page: performance or
/// bandwidth of the chip, issue latency (lambda), completion latency (Lambda)
/// and ridge point of kinds of instructions at ILP 1, 2 and 4 and of full
/// precision functions; of each memory the same with the sizes of its caches.
/// Latencies are cycles per warp instruction of an SM; "-" is not known.
///
/// Source of the form: Lemeire, Cornelis and Segers 2016, "Microbenchmarks for
/// GPU characteristics: the occupancy roofline and the pipeline model", Table
/// III. Differs in that ridge points are warps per SM, and latencies of memory
/// those of a dependent load of one warp.
void writeDevicePage(const DeviceModel &Device, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_DEVICEPAGE_H
