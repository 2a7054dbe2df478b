//===- ControlCode.h - The control code of an encoding ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READSASS_CONTROLCODE_H
#define GPUOCC_READSASS_CONTROLCODE_H

#include "gpuocc/Kernel/IssueControl.h"

namespace gpuocc {

/// Decodes the control code in the upper 64 of the 128 bits of an encoding of
/// sm_70 and later.
///
/// Source: Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking", section 2.1: bits 105 to 125.
IssueControl decodeControlCode(uint64_t UpperHalf);

} // namespace gpuocc

#endif // GPUOCC_READSASS_CONTROLCODE_H
