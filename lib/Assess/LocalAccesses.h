//===- LocalAccesses.h - Arrays and spills in local memory ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_LOCALACCESSES_H
#define GPUOCC_LIB_ASSESS_LOCALACCESSES_H

#include "Price.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// The price of \p Accesses (indices) when what they read and write lives in
/// registers: they are gone.
Price priceInRegisters(const Case &C, llvm::ArrayRef<uint32_t> Accesses);

/// The half of LocalMemory that is about spilled registers.
void findSpills(const Case &C, Findings &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_LOCALACCESSES_H
