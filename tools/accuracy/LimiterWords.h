//===- LimiterWords.h - Limits in words of counters -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_LIMITERWORDS_H
#define GPUOCC_TOOLS_ACCURACY_LIMITERWORDS_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

/// "DRAM" of "memory: DRAM 64%", "latency" of "latency: wait (SM 7%, mem 0%)".
llvm::StringRef limiterWord(llvm::StringRef TruthLimiter);

/// True when \p Predicted is what the truth calls \p TruthLimiter.
bool limitersAgree(llvm::StringRef TruthLimiter, Resource Predicted);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_LIMITERWORDS_H
