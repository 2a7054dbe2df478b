//===- AccessSheet.h - What accesses cost each resource ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_ACCESSSHEET_H
#define GPUOCC_LIB_MODEL_BOUNDS_ACCESSSHEET_H

#include "gpuocc/Device/FlatDevice.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Model/Worksheet.h"
#include <string>

namespace gpuocc {

class Numbers;
struct ExecutionProfile;
struct KernelFacts;

/// Cycles per warp of the two sides of L2, and of atomics that wait for each
/// other there.
struct L2Sides {
  double Read = 0, Write = 0, OneByOne = 0;
  /// All of it for an SM whose neighbours idle.
  double OneSm = 0;
  /// Bytes from and to host memory.
  double HostRead = 0, HostWritten = 0;
};

/// Times that one SM alone has of a rate, \p OneSm, what it has while all use
/// it, \p AllSms; 1 where that is not known.
double timesAlone(Quantity OneSm, Quantity AllSms, const FlatDevice &D);

/// Adds to \p Sheet what the executions of access \p Index by one warp cost the
/// resources of an SM and its share of the chip; to \p Sides and the bytes of
/// \p Out what they move there.
void addAccess(const KernelFacts &Facts, uint32_t Index,
               const ExecutionProfile &Profile, Numbers &N, Worksheet &Sheet,
               L2Sides &Sides, Prediction &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_ACCESSSHEET_H
