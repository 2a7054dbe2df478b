//===- FloatSemantics.h - Floating-point rows -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_FLOATSEMANTICS_H
#define GPUOCC_LIB_LANES_ANALYSIS_FLOATSEMANTICS_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Is \p What one of the floating-point rows of Semantics.def?
inline bool isFloatingPoint(Semantics What) {
  return What >= Semantics::FAdd && What <= Semantics::FConvert;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_FLOATSEMANTICS_H
