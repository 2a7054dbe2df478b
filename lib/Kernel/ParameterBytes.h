//===- ParameterBytes.h - Places in parameter memory ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_KERNEL_PARAMETERBYTES_H
#define GPUOCC_LIB_KERNEL_PARAMETERBYTES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Kernel/RecordedTensorMap.h"
#include <optional>

namespace gpuocc {

/// The byte of parameter memory that \p O is the address of.
std::optional<uint64_t> parameterByte(const KernelFacts &Facts, Operand O);

/// The tensor map at byte \p At of parameter memory, where the recorder wrote
/// one.
std::optional<RecordedTensorMap> recordedMapAt(const KernelFacts &Facts,
                                               const Launch &L, uint64_t At);

} // namespace gpuocc

#endif // GPUOCC_LIB_KERNEL_PARAMETERBYTES_H
