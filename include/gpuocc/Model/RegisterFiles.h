//===- RegisterFiles.h - Registers of an architecture -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_REGISTERFILES_H
#define GPUOCC_MODEL_REGISTERFILES_H

#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Device/ArchLimits.h"

namespace gpuocc {

/// What \p Limits say of registers, for the estimate of those that a kernel
/// takes; as on sm_90 where they say nothing.
RegisterFile registerFile(const ArchLimits &Limits);

} // namespace gpuocc

#endif // GPUOCC_MODEL_REGISTERFILES_H
