//===- DivergentLoop.h - Lanes that leave a loop at other times -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_DIVERGENTLOOP_H
#define GPUOCC_LIB_ASSESS_DIVERGENTLOOP_H

#include "Rules.h"

namespace gpuocc {

/// The lanes of a warp leave loop \p Index of \p C at different times; the
/// rule DivergentLoop speaks of it.
bool isDivergentLoop(const Case &C, uint32_t Index);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_DIVERGENTLOOP_H
